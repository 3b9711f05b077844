import { expect, test } from 'vitest';

import * as contact from './contact.ts';
import { API_ERRORS } from './api-error.ts';
import * as signin from './signin.ts';
import * as user from './user.ts';

const ENDPOINTS = [
  user.getUser,
  user.updateUser,
  user.uploadProfileImage,
  user.logout,
  contact.getContacts,
  contact.addContact,
  signin.authenticatePhone,
  signin.sendCode,
  signin.verifyCode,
];

test('every call has the method, path and access that the documents give it', () => {
  const lines = ENDPOINTS.map((one) => {
    const access = 'access' in one ? one.access : 'owner';
    return `${one.method} ${one.path} ${access}`;
  });
  expect(lines).toEqual([
    'GET /user/:id open',
    'POST /user/updateUser/:id owner',
    'POST /user/uploadProfileImage session',
    'POST /user/logout session',
    'GET /profile/getContacts/:id owner',
    'POST /profile/addContact open',
    'GET /user/authenticate/phone open',
    'POST /otp/send open',
    'POST /otp/verify open',
  ]);
});

test('the public card is an allow-list: whatever else a row holds never leaves', () => {
  const card = {
    _id: 'x',
    name: 'Asha',
    designation: '',
    companyName: '',
    bio: '',
    phone: '',
    email: '',
    profilePhoto: '',
    socialMediaHandles: { X: 'https://x.example', Web: null },
  };
  const row = { ...card, login_phone: '1', loginPhone: '1', sessionToken: 's', created_at: 1 };
  expect(user.getUser.reply.parse(row)).toEqual(card);
  expect(user.updateUser.reply.parse(row)).toEqual(card);
});

test('a contact in the list has the specified fields and an id, and nothing else', () => {
  const listed = { _id: 'c', name: 'R', companyName: '', email: '', mobile: '1' };
  const row = { ...listed, user_id: 'x', created_at: 1, address: '203.0.113.7' };
  expect(contact.getContacts.reply.parse([row])).toEqual([listed]);
});

test('a page of contacts is 100 unless less is asked for', () => {
  const { query } = contact.getContacts;
  expect(query.parse({})).toEqual({ limit: 100 });
  expect(query.parse({ limit: '10', before: '0abcZ9' })).toEqual({ limit: 10, before: '0abcZ9' });
  const refused = [
    { limit: '0' },
    { limit: '101' },
    { limit: 'x' },
    { before: "'" },
    { before: '' },
  ];
  expect(refused.filter((one) => query.safeParse(one).success)).toEqual([]);
});

test('what is wrong with a call is 400, 403, 404, 408, 413, 415, 429 or 431 and never 401', () => {
  expect(API_ERRORS).toEqual({
    invalid_input: 400,
    user_unknown: 400,
    not_a_picture: 400,
    phone_refused: 400,
    session_invalid: 403,
    token_invalid: 403,
    code_invalid: 403,
    not_found: 404,
    too_slow: 408,
    too_large: 413,
    media_type_unsupported: 415,
    too_many_requests: 429,
    headers_too_large: 431,
    internal: 500,
    misconfigured: 503,
    unavailable: 503,
  });
});
