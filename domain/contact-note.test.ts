import { expect, test } from 'vitest';

import { noteSchema, tagsSchema } from './contact-note.ts';

/** Returns the sentence with which a schema rejects a value; '' if it accepts it. */
const rejection = (schema: typeof noteSchema | typeof tagsSchema, value: unknown) =>
  schema.safeParse(value).error?.issues[0]?.message ?? '';

const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

test('note: has lines, and at most 2,000 characters', () => {
  expect(noteSchema.parse('One\r\ntwo')).toBe('One\ntwo');
  expect(rejection(noteSchema, '\u{1f600}'.repeat(2000))).toBe('');
  expect(rejection(noteSchema, 'x'.repeat(2001))).toBe('must be at most 2000 characters');
});

test('tags: are at most ten of 40 characters, trimmed, without empty and repeated ones', () => {
  expect(tagsSchema.parse([' a ', 'b', 'a', '  ', 'B'])).toEqual(['a', 'b', 'B']);
  expect(tagsSchema.parse(many(10))).toEqual(many(10));
  expect([many(11), ['x'.repeat(41)], 'x'].map((tags) => rejection(tagsSchema, tags))).toEqual([
    'must be at most 10',
    'must be at most 40 characters',
    'must be a list',
  ]);
});
