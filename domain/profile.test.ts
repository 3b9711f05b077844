import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { anyText } from '#tests/support/any-text.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { cleanProfileInput, profileChangeSchema } from './profile.ts';
import { UNKNOWN_USER } from './unknown-user.ts';
import { PROFILE_FIELDS, mapProfileFields } from './profile-field.ts';

const LIMITS = { name: 120, designation: 120, companyName: 120, bio: 2000, email: 254, phone: 32 };

test.each(Object.entries(LIMITS))(
  'profile change: %s may have %i characters and not one more',
  (field, limit) => {
    const longest = { [field]: 'क'.repeat(limit) };
    expect(profileChangeSchema.parse(longest)).toEqual(longest);
    const issues = profileChangeSchema.safeParse({ [field]: 'क'.repeat(limit + 1) }).error?.issues;
    expect(issues?.map(({ path, message }) => ({ path, message }))).toEqual([
      { path: [field], message: `must be at most ${limit} characters` },
    ]);
  },
);

test('profile fields: have the limits of docs/product.md#limits', () => {
  expect(mapProfileFields((name) => PROFILE_FIELDS[name].lengthMax)).toEqual(LIMITS);
});

test('profile change: only bio may have lines', () => {
  const accepted = Object.keys(LIMITS).filter(
    (field) => profileChangeSchema.safeParse({ [field]: 'a\nb' }).success,
  );
  expect(accepted).toEqual(['bio']);
});

test.each([null, 'name', 5])('profile change: rejects %j, which is not an object', (value) => {
  const issues = profileChangeSchema.safeParse(value).error?.issues;
  expect(issues?.map(({ message }) => message)).toEqual(['must be an object']);
});

test('profile change: drops the keys that an owner cannot change, and adds none', () => {
  const user = {
    _id: 'x',
    name: 'Asha Rao',
    designation: 'Engineer',
    companyName: 'Kaveri',
    bio: 'Line one\nline two',
    phone: '+919876543210',
    email: 'asha@example.com',
    socialMediaHandles: { X: null, Web: 'https://asha.example' },
  };
  const otherKeys = { sessionToken: 's', profilePhoto: '/p', profileImage: 'i', login_phone: '1' };
  const { _id, ...change } = user;
  expect(profileChangeSchema.parse({ ...user, ...otherKeys })).toEqual(change);
  expect(profileChangeSchema.parse({})).toEqual({});
});

test.each([null, 5, [], {}, true])('profile change: rejects a field of %j', (value) => {
  for (const field of Object.keys(LIMITS)) {
    expect(profileChangeSchema.safeParse({ [field]: value }).success).toBe(false);
  }
});

test('profile change: does not check the format of email and phone', () => {
  const change = { email: 'not an address', phone: 'call me' };
  expect(profileChangeSchema.parse(change)).toEqual(change);
});

test('profile input: the server accepts every cleaned input', () => {
  const typed = anyText(300);
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...Object.keys(LIMITS)), typed), (fields) => {
      const sent = cleanProfileInput({ ...EMPTY_PROFILE, ...fields });
      expect({ ...sent, ...profileChangeSchema.parse(sent) }).toEqual(sent);
    }),
    { numRuns: 1000 },
  );
});

test('unknown user: has the name and bio of the contract', () => {
  expect(UNKNOWN_USER).toEqual({ name: 'Unknown', bio: 'User does not exist' });
});
