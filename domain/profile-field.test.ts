import { expect, test } from 'vitest';

import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { cleanProfileInput, profileChangeSchema } from './profile.ts';
import { PROFILE_FIELDS } from './profile-field.ts';

test('field input: pasted text becomes text that the server accepts', () => {
  const pasted = {
    ...EMPTY_PROFILE,
    name: '  Asha\tRao\u202e ',
    designation: 'Two\r\nlines',
    companyName: '\u0000'.repeat(3),
    bio: 'First\r\nsecond',
    phone: '\u2066+91 98765 43210\u2069',
    email: 'a'.repeat(300),
  };
  const cleaned = cleanProfileInput(pasted);
  expect(cleaned).toEqual({
    ...EMPTY_PROFILE,
    name: 'Asha Rao',
    designation: 'Two lines',
    companyName: '',
    bio: 'First\nsecond',
    phone: '+91 98765 43210',
    email: 'a'.repeat(PROFILE_FIELDS.email.lengthMax),
  });
  expect(profileChangeSchema.safeParse(cleaned).success).toBe(true);
});
