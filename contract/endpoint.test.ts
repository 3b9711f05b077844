import { expect, test } from 'vitest';
import * as z from 'zod/mini';

import { ENDPOINTS } from '#tests/support/endpoints.ts';
import type { JsonSchema } from '#tests/support/json-schema.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { API_ERRORS, apiErrorSchema } from './api-error.ts';
import * as contact from './contact.ts';
import * as signin from './signin.ts';
import * as user from './user.ts';

test('endpoints: have the method, path and access of docs/product.md#calls', () => {
  const lines = ENDPOINTS.map(
    ({ method, path, access = 'owner' }) => `${method} ${path} ${access}`,
  );
  expect(lines.toSorted()).toEqual([
    'GET /account/downloadAccount/:id owner',
    'GET /account/getAccount/:id owner',
    'GET /contacts/contactFile/:id owner',
    'GET /profile/getAnalytics/:id owner',
    'GET /profile/getContacts/:id owner',
    'GET /push/getKey/:id owner',
    'GET /user/:id open',
    'GET /user/:id/appearance owner',
    'GET /user/:id/extras owner',
    'GET /user/:id/faces owner',
    'GET /user/authenticate/phone open',
    'GET /wallet/getGoogleLink/:id owner',
    'POST /account/changePhone/:id owner',
    'POST /account/deleteAccount/:id owner',
    'POST /account/endOtherSessions/:id owner',
    'POST /contacts/deleteContact/:id owner',
    'POST /contacts/deleteHeldContacts/:id owner',
    'POST /contacts/editContact/:id owner',
    'POST /contacts/exportCsv/:id owner',
    'POST /contacts/exportVcard/:id owner',
    'POST /contacts/findContacts/:id owner',
    'POST /contacts/restoreContact/:id owner',
    'POST /contacts/saveNote/:id owner',
    'POST /contacts/saveTags/:id owner',
    'POST /otp/send open',
    'POST /otp/sendOwnerCode/:id owner',
    'POST /otp/verify open',
    'POST /profile/addContact open',
    'POST /profile/countVisit/:id/:kind open',
    'POST /push/subscribe/:id owner',
    'POST /push/unsubscribe/:id owner',
    'POST /user/:id/appearance owner',
    'POST /user/:id/extras owner',
    'POST /user/:id/faces owner',
    'POST /user/:id/logo owner',
    'POST /user/:id/removeLogo owner',
    'POST /user/logout session',
    'POST /user/removeProfileImage/:id owner',
    'POST /user/updateUser/:id owner',
    'POST /user/uploadProfileImage session',
  ]);
});

test('public reply: is an allow-list that drops other columns of a row', () => {
  const socialMediaHandles = { X: 'https://x.example', Web: null };
  const card = { ...EMPTY_PROFILE, name: 'Asha', socialMediaHandles };
  const row = { ...card, login_phone: '1', loginPhone: '1', sessionToken: 's', created_at: 1 };
  expect(user.getUser.reply.parse(row)).toEqual(card);
  expect(user.updateUser.reply.parse(row)).toEqual(card);
});

test('requests: every text of an endpoint has a maximum length', () => {
  const unbounded = ENDPOINTS.flatMap((one) => {
    const inputs = [one.query, one.body === 'multipart' ? undefined : one.body].filter(
      (input) => input !== undefined,
    );
    return inputs.flatMap((input) =>
      textsWithoutBound(one.path, z.toJSONSchema(input, { io: 'input' })),
    );
  });
  expect(unbounded).toEqual([]);
});

const sentences = (schema: z.ZodMiniType, input: unknown) =>
  schema.safeParse(input).error?.issues.map(({ message }) => message) ?? [];

test('list of contacts: rejects an invalid limit, before and held with a sentence', () => {
  const { query } = contact.getContacts;
  expect(query.parse({})).toEqual({ limit: 100 });
  const id = 'a'.repeat(40);
  expect(sentences(query, { limit: '100', before: id, held: 'false' })).toEqual([]);
  expect(sentences(query, { limit: '1', before: 'a', held: 'true' })).toEqual([]);
  expect(sentences(query, { limit: 'x' })).toEqual(['must be a whole number from 1 to 100']);
  const limits = ['0', '101', '1.5', ''];
  expect(limits.filter((limit) => query.safeParse({ limit }).success)).toEqual([]);
  expect(sentences(query, { held: '' })).toEqual(['must be true or false']);
  const places = ['', `${id}a`, ` ${id}`, `${id} `, "'a", "a'", 'a\n'];
  expect(places.map((before) => sentences(query, { before }))).toEqual(
    places.map(() => ['is not a contact id']),
  );
});

test('requests: a text that is too long is rejected with the limit', () => {
  const { sendCode, verifyCode } = signin;
  const rejection = ['must be at most 256 characters'];
  const longest = 'x'.repeat(256);
  expect(sendCode.body.safeParse({ appId: longest, phone: longest }).success).toBe(true);
  expect(sentences(sendCode.body, { appId: `${longest}x`, phone: '1' })).toEqual(rejection);
  expect(sentences(verifyCode.body, { challenge: 'c', code: `${longest}x` })).toEqual(rejection);

  const lead = { userID: 'a'.repeat(16), contact: { name: 'R', email: 'r@k.example' } };
  const { body } = contact.addContact;
  expect(body.safeParse({ ...lead, website: 'x'.repeat(2048) }).success).toBe(true);
  expect(sentences(body, { ...lead, website: 'x'.repeat(2049) })).toEqual([
    'must be at most 2048 characters',
  ]);
});

test('error: has a code and a sentence', () => {
  const error = { error: 'not_found', message: 'There is nothing here.' };
  expect(apiErrorSchema.parse({ ...error, detail: 'x' })).toEqual(error);
  const incomplete = [{}, { error: 'not_found' }, { message: 'There is nothing here.' }];
  expect(incomplete.filter((one) => apiErrorSchema.safeParse(one).success)).toEqual([]);
});

test('error codes: none is 401, which a browser would ask a password for', () => {
  expect(Object.values(API_ERRORS)).not.toContain(401);
});

/** Returns the paths of the texts in a schema that have neither a length, a pattern nor a list. */
function textsWithoutBound(path: string, schema: object): string[] {
  const {
    type,
    maxLength,
    pattern,
    enum: values,
    anyOf = [],
    allOf = [],
    properties = {},
  } = schema as JsonSchema;
  const isUnbounded =
    type === 'string' && maxLength === undefined && pattern === undefined && values === undefined;
  return [
    ...(isUnbounded ? [path] : []),
    ...[...anyOf, ...allOf].flatMap((one) => textsWithoutBound(path, one)),
    ...Object.entries(properties).flatMap(([name, one]) =>
      textsWithoutBound(`${path}.${name}`, one),
    ),
  ];
}
