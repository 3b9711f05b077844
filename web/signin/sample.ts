import type { Profile } from '#domain/profile.ts';

/** Nobody's card, drawn as anybody's would be. */
export const SAMPLE_PROFILE: Profile = {
  _id: 'MeeraTesseraCard',
  name: 'Meera Iyer',
  designation: 'Architect',
  companyName: 'Courtyard Studio',
  bio: 'Houses that stay cool without machines, from Kochi to Jaipur.',
  phone: '+91 98765 43210',
  email: 'meera@courtyard.in',
  profilePhoto: '',
  socialMediaHandles: {
    Web: 'https://example.com',
    Whatsapp: '9876543210',
    Instagram: 'https://example.com',
    LinkedIn: 'https://example.com',
  },
};
