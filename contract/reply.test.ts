import { expect, test } from 'vitest';
import * as z from 'zod/mini';

import { PROFILE_FIELDS, PROFILE_FIELD_NAMES, mapProfileFields } from '#domain/profile-field.ts';
import { ENDPOINTS } from '#tests/support/endpoints.ts';
import type { JsonSchema } from '#tests/support/json-schema.ts';

import { getContacts } from './contact.ts';
import { openApiDocument } from './openapi.ts';
import { getUser, profileReply, updateUser } from './user.ts';

/** Every object has more of a newer version, also the handles. */
const NEWER = { Orkut: 'https://orkut.example', newer: { text: 'x' } };

/** Returns a value with every key that a schema has, and `more` in every object. */
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

test.each(ENDPOINTS)('API document: allows unknown keys in $method $path', (endpoint) => {
  const document = openApiDocument([endpoint], { title: 'Tessera', server: '/api' });
  expect(JSON.stringify(document)).toContain('"properties"');
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false');
});

test.each([getUser, updateUser])(
  'reply of $method $path: a missing text is empty and missing handles are none',
  ({ reply }) => {
    const card = { _id: 'u', profilePhoto: '', socialMediaHandles: {} };
    expect(reply.parse({ _id: 'u' })).toEqual({ ...card, ...mapProfileFields(() => '') });
    for (const name of PROFILE_FIELD_NAMES) {
      const filled = { ...card, ...mapProfileFields((field) => `a ${field}`) };
      const { [name]: _, ...rest } = filled;
      expect(reply.parse(rest)).toEqual({ ...filled, [name]: '' });
    }
  },
);

test('reply of GET /profile/getContacts/:id: a missing text is empty', () => {
  const empty = { name: '', companyName: '', email: '', mobile: '' };
  expect(getContacts.reply.parse([{ _id: 'c' }])).toEqual([{ _id: 'c', ...empty }]);
});

test.each(PROFILE_FIELD_NAMES)('public reply: the field %s is in it if it is public', (name) => {
  expect(name in profileReply.shape).toBe(PROFILE_FIELDS[name].isPublic);
});
