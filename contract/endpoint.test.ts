import { expect, test } from 'vitest';
import * as z from 'zod/mini';

import { ENDPOINTS } from '#tests/support/endpoints.ts';
import type { JsonSchema } from '#tests/support/json-schema.ts';
import { EMPTY_PROFILE } from '#tests/support/profile.ts';

import { API_ERRORS, apiErrorSchema } from './api-error.ts';
import * as contact from './contact.ts';
import * as signin from './signin.ts';
import * as user from './user.ts';

test('public reply: is an allow-list that drops other columns of a row', () => {
  const socialMediaHandles = { X: 'https://x.example', Web: null };
  const card = { ...EMPTY_PROFILE, name: 'Asha', socialMediaHandles };
  const row = { ...card, login_phone: '1', loginPhone: '1', sessionToken: 's', created_at: 1 };
  expect(user.getUser.reply.parse(row)).toEqual(card);
  expect(user.updateUser.reply.parse(row)).toEqual(card);
});

test('requests: every text of an endpoint has a maximum length', () => {
  const unbounded = ENDPOINTS.flatMap(({ path, query, body }) =>
    [query, body === 'multipart' ? undefined : body].flatMap((input) =>
      input === undefined
        ? []
        : textsWithoutBound(path, z.toJSONSchema(input, { io: 'input' }) as JsonSchema),
    ),
  );
  expect(unbounded).toEqual([]);
});

const sentences = (schema: z.ZodMiniType, input: unknown) =>
  schema.safeParse(input).error?.issues.map(({ message }) => message) ?? [];

test('list of contacts: rejects an invalid limit, before and held with a sentence', () => {
  const { query } = contact.getContacts;
  expect(query.parse({})).toEqual({ limit: 100 });
  const id = 'a'.repeat(40);
  for (const valid of [
    { limit: '100', before: id, held: 'false' },
    { limit: '1', held: 'true' },
  ])
    expect(sentences(query, valid)).toEqual([]);
  for (const limit of ['x', '0', '101', '1.5', ''])
    expect(sentences(query, { limit })).toEqual(['must be a whole number from 1 to 100']);
  expect(sentences(query, { held: '' })).toEqual(['must be true or false']);
  for (const before of ['', `${id}a`, ` ${id}`, `${id} `, "'a", "a'", 'a\n'])
    expect(sentences(query, { before })).toEqual(['is not a contact id']);
});

test('requests: a text that is too long is rejected with the limit', () => {
  const { body } = signin.sendCode;
  const longest = 'x'.repeat(256);
  expect(sentences(body, { appId: longest, phone: longest })).toEqual([]);
  const rejection = ['must be at most 256 characters'];
  expect(sentences(body, { appId: `${longest}x`, phone: '1' })).toEqual(rejection);
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
function textsWithoutBound(path: string, schema: JsonSchema): string[] {
  const { type, maxLength, pattern, anyOf = [], allOf = [], properties = {} } = schema;
  const isUnbounded = type === 'string' && (maxLength ?? pattern ?? schema.enum) === undefined;
  return [
    ...(isUnbounded ? [path] : []),
    ...[...anyOf, ...allOf].flatMap((one) => textsWithoutBound(path, one)),
    ...Object.entries(properties).flatMap(([name, one]) =>
      textsWithoutBound(`${path}.${name}`, one),
    ),
  ];
}
