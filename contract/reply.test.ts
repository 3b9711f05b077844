import { expect, test } from 'vitest';

import { NETWORKS } from '#domain/network.ts';
import {
  PROFILE_FIELDS,
  PROFILE_FIELD_NAMES,
  mapFaceFields,
  mapProfileFields,
} from '#domain/profile-field.ts';
import { ENDPOINTS } from '#tests/support/endpoints.ts';

import { getContacts } from './contact.ts';
import { openApiDocument } from './openapi.ts';
import { getUser, profileReply, updateUser } from './user.ts';

const PROFILE = {
  _id: 'u',
  ...mapProfileFields((name) => `a ${name}`),
  profilePhoto: '/p',
  socialMediaHandles: Object.fromEntries(NETWORKS.map((network) => [network, `a ${network}`])),
};
const DETAILS = { name: 'R', companyName: 'K', email: 'e', mobile: '1' };
const CONTACT = { _id: 'c', ...DETAILS };
const CODE = { challenge: 'c', resendAfterSeconds: 30, lifeSeconds: 300 };

const REPLIES: Record<string, unknown> = {
  '/user/:id': PROFILE,
  '/user/updateUser/:id': PROFILE,
  '/user/uploadProfileImage': { profilePhoto: '/p' },
  '/user/removeProfileImage/:id': {},
  '/user/:id/appearance': { palette: 'own', hue: 20, logo: '/p' },
  '/user/:id/extras': { upi: 'a@ybl', gstin: '27AAPFU0939F1ZV', address: 'a' },
  '/user/:id/faces': { faces: [{ language: 'ta', ...mapFaceFields((name) => name) }] },
  '/user/:id/logo': { logo: '/p' },
  '/user/:id/removeLogo': {},
  '/user/logout': {},
  '/profile/getContacts/:id': [CONTACT, { ...CONTACT, _id: 'd' }],
  '/profile/addContact': {},
  '/profile/countVisit/:id/:kind': {},
  '/profile/getAnalytics/:id': {
    today: '2026-01-15',
    timeZone: 'Asia/Kolkata',
    days: [{ day: '2026-01-14', timeZone: 'UTC', counts: { Open: 2, Website: 1, Unique: 1 } }],
  },
  '/contacts/findContacts/:id': {
    contacts: [
      {
        ...CONTACT,
        received: { ...DETAILS, name: 'r' },
        receivedAt: 't',
        note: 'n',
        tags: ['a', 'b'],
        notice: '0123456789ab',
      },
    ],
    next: 'c',
    heldCount: 2,
    count: 1,
    tags: [{ tag: 'a', count: 1 }],
    keepDays: 90,
  },
  '/contacts/saveNote/:id': { note: 'n' },
  '/contacts/saveTags/:id': { tags: ['a'] },
  '/contacts/editContact/:id': { ...DETAILS, received: null },
  '/contacts/deleteContact/:id': {},
  '/contacts/deleteHeldContacts/:id': {},
  '/contacts/restoreContact/:id': {},
  '/contacts/contactFile/:id': {},
  '/contacts/exportCsv/:id': {},
  '/contacts/exportVcard/:id': {},
  '/user/authenticate/phone': { _id: 'u', sessionToken: 's' },
  '/otp/send': { ...CODE, phone: '+91', phoneText: '+91' },
  '/otp/sendOwnerCode/:id': { ...CODE, phone: '•••• 3210', phoneText: '•••• 3210' },
  '/otp/verify': { token: 't' },
  '/push/getKey/:id': { publicKey: 'k' },
  '/push/subscribe/:id': { publicKey: 'k' },
  '/push/unsubscribe/:id': {},
  '/wallet/getGoogleLink/:id': { url: 'u' },
  '/account/getAccount/:id': {
    phoneEnd: '3210',
    verification: 'code',
    sessions: [{ device: 'Chrome on Android', signedInAt: 't', usedAt: 't', isCurrent: true }],
  },
  '/account/endOtherSessions/:id': {},
  '/account/changePhone/:id': {},
  '/account/deleteAccount/:id': {},
  '/account/downloadAccount/:id': {},
};

/** Adds keys of a newer version to every object of a reply, also to the handles. */
function addUnknownKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(addUnknownKeys);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, addUnknownKeys(one)]);
  return { ...Object.fromEntries(entries), Orkut: 'https://orkut.example', newer: { text: 'x' } };
}

test.each(ENDPOINTS)('reply of $method $path: drops unknown keys at every level', (endpoint) => {
  const reply = REPLIES[endpoint.path];
  expect(reply, `${endpoint.path} is missing in REPLIES`).not.toBe(undefined);
  expect(endpoint.reply.parse(addUnknownKeys(reply))).toEqual(reply);
});

test.each(ENDPOINTS)('API document: allows unknown keys in $method $path', (endpoint) => {
  const document = openApiDocument([endpoint], { title: 'Tessera', server: '/api' });
  expect(JSON.stringify(document)).toContain('"properties"');
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});

test.each([getUser, updateUser])(
  'reply of $method $path: a missing text is empty and missing handles are none',
  ({ reply }) => {
    expect(reply.parse({ _id: 'u' })).toEqual({
      _id: 'u',
      ...mapProfileFields(() => ''),
      profilePhoto: '',
      socialMediaHandles: {},
    });
    const withoutOne = PROFILE_FIELD_NAMES.map((name) => {
      const { [name]: _, ...rest } = PROFILE;
      return reply.parse(rest);
    });
    expect(withoutOne).toEqual(PROFILE_FIELD_NAMES.map((name) => ({ ...PROFILE, [name]: '' })));
  },
);

test('reply of GET /profile/getContacts/:id: a missing text is empty', () => {
  expect(getContacts.reply.parse([{ _id: 'c' }])).toEqual([
    { _id: 'c', name: '', companyName: '', email: '', mobile: '' },
  ]);
});

test.each(PROFILE_FIELD_NAMES)('public reply: the field %s is in it if it is public', (name) => {
  expect(name in profileReply.shape).toBe(PROFILE_FIELDS[name].isPublic);
});
