import { expect, test } from 'vitest';
import * as z from 'zod/mini';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES, mapProfileFields } from '#domain/profile-field.ts';
import { ENDPOINTS } from '#tests/support/endpoints.ts';
import type { JsonSchema } from '#tests/support/json-schema.ts';
import { rejection } from '#tests/support/results.ts';

import { API_ERRORS, apiErrorSchema } from './api-error.ts';
import { getContacts } from './contact.ts';
import { getUser, profileReply, updateUser } from './user.ts';

/** The paths of the texts in a schema that have neither a length, a pattern nor a list. */
function textsWithoutBound(path: string, schema: JsonSchema): string[] {
  const { type, maxLength, pattern, anyOf = [], allOf = [], properties = {} } = schema;
  const isUnbounded = type === 'string' && (maxLength ?? pattern ?? schema.enum) === undefined;
  const parts = [...anyOf, ...allOf].map((one) => [path, one] as const);
  const fields = Object.entries(properties).map(([name, one]) => [`${path}.${name}`, one] as const);
  const below = [...parts, ...fields].flatMap(([place, one]) => textsWithoutBound(place, one));
  return isUnbounded ? [path, ...below] : below;
}

test('requests: every text of an endpoint has a maximum length', () => {
  const unbounded = ENDPOINTS.flatMap(({ path, query, body }) =>
    [query, body === 'multipart' ? undefined : body].flatMap((input) =>
      input ? textsWithoutBound(path, z.toJSONSchema(input, { io: 'input' }) as JsonSchema) : [],
    ),
  );
  expect(unbounded).toEqual([]);
});

test('list of contacts: rejects an invalid limit, before and held with a sentence', () => {
  const { query } = getContacts;
  expect(query.parse({})).toEqual({ limit: 100 });
  const id = 'a'.repeat(40);
  for (const held of ['true', 'false'])
    for (const limit of ['1', '100'])
      expect(rejection(query, { limit, before: id, held })).toBe('');
  for (const limit of ['x', '0', '101', '1.5', ''])
    expect(rejection(query, { limit })).toBe('must be a whole number from 1 to 100');
  expect(rejection(query, { held: '' })).toBe('must be true or false');
  for (const before of ['', `${id}a`, ` ${id}`, `${id} `, "'a", "a'", 'a\n'])
    expect(rejection(query, { before })).toBe('is not a contact id');
});

test('error: has a code and a sentence, and no status for which a browser asks for a password', () => {
  const error = { error: 'not_found', message: 'There is nothing here.' };
  expect(apiErrorSchema.parse({ ...error, detail: 'x' })).toEqual(error);
  for (const key of ['error', 'message'])
    expect(apiErrorSchema.safeParse({ ...error, [key]: undefined }).success).toBe(false);
  expect(Object.values(API_ERRORS)).not.toContain(401);
});

/** Every object has more of a newer version, also the handles. */
const NEWER = { Orkut: 'https://orkut.example', newer: { text: 'x' } };

/** A value with every key that a schema has, and `more` in every object. */
function completeReply(schema: JsonSchema, more: object): unknown {
  const { type, properties, items, anyOf, enum: values } = schema;
  if (anyOf?.[0]) return completeReply(anyOf[0], more);
  if (items) return [completeReply(items, more), completeReply(items, more)];
  if (values) return values[0];
  // A value that may be null has two types.
  if (!properties) return { string: 'text', boolean: true }[String([type].flat()[0])] ?? 1;
  const entries = Object.entries(properties).map(([key, one]) => [key, completeReply(one, more)]);
  return { ...Object.fromEntries(entries), ...more };
}

test.each(ENDPOINTS)('reply of $method $path: drops unknown keys at every level', ({ reply }) => {
  const schema = z.toJSONSchema(reply, { io: 'output' }) as JsonSchema;
  expect(reply.parse(completeReply(schema, NEWER))).toEqual(completeReply(schema, {}));
});

test('reply: a missing text is empty and missing handles are none', () => {
  const card = { _id: 'u', profilePhoto: '', socialMediaHandles: {} };
  const filled = { ...card, ...mapProfileFields((field) => `a ${field}`) };
  for (const { reply } of [getUser, updateUser]) {
    expect(reply.parse({ _id: 'u' })).toEqual({ ...card, ...mapProfileFields(() => '') });
    for (const name of PROFILE_FIELD_NAMES)
      expect(reply.parse({ ...filled, [name]: undefined })).toEqual({ ...filled, [name]: '' });
  }
  const contact = { _id: 'c', name: '', companyName: '', email: '', mobile: '' };
  expect(getContacts.reply.parse([{ _id: 'c' }])).toEqual([contact]);
});

test.each(PROFILE_FIELD_NAMES)('public reply: the field %s is in it if it is public', (name) => {
  expect(name in profileReply.shape).toBe(PROFILE_FIELDS[name].isPublic);
});
