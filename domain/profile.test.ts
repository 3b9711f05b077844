import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyText } from '#tests/support/any-text.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';
import { rejection } from '#tests/support/results.ts';

import { cleanProfileInput, profileChangeSchema } from './profile.ts';
import { mapProfileFields } from './profile-field.ts';

/** The limits of docs/develop/product.md#limits. */
const LIMITS = { name: 120, designation: 120, companyName: 120, bio: 2000, email: 254, phone: 32 };

test.each(Object.entries(LIMITS))('profile change: %s, at most %i characters', (field, limit) => {
  const longest = { [field]: 'क'.repeat(limit) };
  expect(profileChangeSchema.parse(longest)).toEqual(longest);
  const { error } = profileChangeSchema.safeParse({ [field]: 'क'.repeat(limit + 1) });
  const message = `must be at most ${limit} characters`;
  expect(error?.issues).toMatchObject([{ path: [field], message }]);
  for (const value of [null, 5, [], {}, true])
    expect(rejection(profileChangeSchema, { [field]: value })).toBe('must be text');
  const { success } = profileChangeSchema.safeParse({ [field]: 'a\nb' });
  expect(success).toBe(field === 'bio');
});

test('profile change: drops the keys that an owner cannot change, adds none, and checks no format', () => {
  const socialMediaHandles = { X: null, Web: 'https://asha.example' };
  const change = { ...mapProfileFields((name) => `a ${name}`), socialMediaHandles };
  const otherKeys = { sessionToken: 's', profilePhoto: '/p', profileImage: 'i', login_phone: '1' };
  expect(profileChangeSchema.parse({ _id: 'x', ...change, ...otherKeys })).toEqual(change);
  expect(profileChangeSchema.parse({})).toEqual({});
  for (const value of [null, 'name', 5])
    expect(rejection(profileChangeSchema, value)).toBe('must be an object');
});

test('profile input: the server accepts every cleaned input that is not too long', () => {
  for (const [field, pasted, cleaned] of [
    ['name', '  Asha\r\nRao\u202e ', 'Asha Rao'],
    ['bio', 'First\r\nsecond', 'First\nsecond'],
  ] as const) {
    const sent = cleanProfileInput({ ...EMPTY_PROFILE, [field]: pasted });
    expect(sent).toEqual({ ...EMPTY_PROFILE, [field]: cleaned });
  }
  const typed = fc.dictionary(fc.constantFrom(...Object.keys(LIMITS)), anyText(30));
  fc.assert(
    fc.property(typed, (fields) => {
      const sent = cleanProfileInput({ ...EMPTY_PROFILE, ...fields });
      expect({ ...sent, ...profileChangeSchema.parse(sent) }).toEqual(sent);
    }),
    { numRuns: 1000 },
  );
});
