import { expect, test } from 'vitest';

import { rejection } from '#tests/support/results.ts';

import { noteSchema, tagsSchema } from './contact-note.ts';

const many = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

test('note: has lines, and at most 2,000 characters', () => {
  expect(noteSchema.parse('One\r\ntwo')).toBe('One\ntwo');
  expect(rejection(noteSchema, '\u{1f600}'.repeat(2000))).toBe('');
  expect(rejection(noteSchema, 'x'.repeat(2001))).toBe('must be at most 2000 characters');
});

test('tags: are at most ten of 40 characters, trimmed, without empty and repeated ones', () => {
  expect(tagsSchema.parse([' a ', 'b', 'a', '  ', 'B'])).toEqual(['a', 'b', 'B']);
  expect(tagsSchema.parse(many(10))).toEqual(many(10));
  expect(rejection(tagsSchema, many(11))).toBe('must be at most 10');
  expect(rejection(tagsSchema, ['x'.repeat(41)])).toBe('must be at most 40 characters');
  expect(rejection(tagsSchema, 'x')).toBe('must be a list');
});
