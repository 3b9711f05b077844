import { expect, test } from 'vitest';

import type { Profile } from '#domain/profile.ts';

import { mergeDraft } from './draft.ts';

const PROFILE: Profile = {
  _id: 'ABCDEFGHJKLMNPQR',
  name: 'Asha',
  designation: '',
  companyName: '',
  bio: 'Architect',
  phone: '+91 80 1234 5678',
  email: '',
  profilePhoto: '',
  socialMediaHandles: { X: 'https://x.example/asha', Web: 'https://asha.example' },
};
const DRAFT = {
  name: 'Asha Rao',
  email: 'asha@rao.example',
  companyName: 'Rao',
  designation: 'Principal',
  socialMediaHandles: { X: null },
};

test('merge draft: the draft changes its own fields and its own networks', () => {
  expect(mergeDraft(PROFILE, DRAFT, '+919876543210')).toEqual({
    ...PROFILE,
    ...DRAFT,
    socialMediaHandles: { X: null, Web: 'https://asha.example' },
  });
});

test('merge draft: the saved phone is not replaced by the login phone, an empty one is', () => {
  const loginPhone = '+919876543210';
  expect(mergeDraft(PROFILE, DRAFT, loginPhone).phone).toBe(PROFILE.phone);
  expect(mergeDraft({ ...PROFILE, phone: '' }, DRAFT, loginPhone).phone).toBe(loginPhone);
});
