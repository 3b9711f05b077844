import { expect, test } from 'vitest';
import * as z from 'zod/mini';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES, mapProfileFields } from '#domain/profile-field.ts';
import { ENDPOINTS } from '#tests/support/endpoints.ts';
import type { JsonSchema } from '#tests/support/json-schema.ts';
import { rejection } from '#tests/support/results.ts';

import { API_ERRORS, apiErrorSchema } from './api-error.ts';
import { getContacts } from './contact.ts';
import { getUser, profileReply, updateUser } from './user.ts';

interface Part {
  readonly path: readonly string[];
  readonly schema: JsonSchema;
}

function partsOf({ path, schema }: Part): Part[] {
  const { anyOf = [], allOf = [], items, properties = {} } = schema;
  const below = [
    ...[...anyOf, ...allOf].map((one) => ({ path, schema: one })),
    ...(items ? [{ path: [...path, '0'], schema: items }] : []),
    ...Object.entries(properties).map(([name, one]) => ({ path: [...path, name], schema: one })),
  ];
  return [{ path, schema }, ...below.flatMap(partsOf)];
}

const REQUESTS = ENDPOINTS.flatMap(({ path, query, body }) =>
  [query, body === 'multipart' ? undefined : body].flatMap((input) => {
    if (!input) return [];
    const schema = z.toJSONSchema(input, { io: 'input' }) as JsonSchema;
    return partsOf({ path: [path], schema }).map((part) => ({ ...part, input }));
  }),
);

test('requests: every text of an endpoint has a maximum length', () => {
  const unbounded = REQUESTS.filter(
    ({ schema }) =>
      schema.type === 'string' && (schema.maxLength ?? schema.pattern ?? schema.enum) === undefined,
  );
  expect(unbounded.map(({ path }) => path.join('.'))).toEqual([]);
});

const nest = (value: unknown, name: string): unknown =>
  name === '0' ? [value] : { [name]: value };

test('requests: every list of an endpoint has a maximum length, checked before its elements', () => {
  const lists = REQUESTS.filter(({ schema }) => schema.type === 'array');
  expect(lists.map(({ path }) => path.join('.'))).toContain('/user/:id/translations.translations');
  for (const { path, schema, input } of lists) {
    const elements = new Proxy(Array((schema.maxItems ?? 0) + 1), {
      get: (list, key) => {
        if (/^\d+$/.test(String(key))) throw new Error(`${path.join('.')}: reads an element`);
        return Reflect.get(list, key);
      },
    });
    const [, ...names] = path;
    expect([path, rejection(input, names.reduceRight(nest, elements))]).not.toEqual([path, '']);
  }
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
  const error = { error: 'not_found', message: "There's nothing here." };
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
