import { expect, test } from 'vitest';

import { expectResults, rejection } from '#tests/support/results.ts';

import { mergeLists, mergeNotes, noteSchema, tagsSchema } from './contact.ts';
import { leadSchema } from './lead-schema.ts';
import { isPasteTruncated } from './invisible.ts';
import { LEAD_INCOMPLETE, cleanLeadInput } from './lead.ts';

const LEAD = { name: 'Ravi', mobile: '98765', email: 'ravi@example.com', companyName: 'Kaveri' };
const EMPTY = { name: '', mobile: '', email: '', companyName: '' };

test('lead: needs a name and one of mobile or email, and no format is checked; spaces do not count', () => {
  for (const contact of [{ mobile: '1' }, { email: 'x' }, { mobile: '1', email: 'x' }]) {
    const lead = { ...EMPTY, name: 'R', ...contact };
    expect(leadSchema.parse({ name: 'R', ...contact })).toEqual(lead);
    for (const name of ['', ' \u00a0', '\u2800', '\u3164\u200d', '\u115f'])
      expect(rejection(leadSchema, { ...lead, name })).toBe(LEAD_INCOMPLETE);
  }
  const email = 'ravi@example.com\u00a0';
  const spaced = { name: ' Ravi ', mobile: ' 98765', email, companyName: ' Kaveri ' };
  expect(leadSchema.parse(spaced)).toEqual(LEAD);
  for (const blank of ['', '  '])
    expect(rejection(leadSchema, { name: 'R', mobile: blank, email: blank })).toBe(LEAD_INCOMPLETE);
  for (const value of [null, 'R', 5])
    expect(rejection(leadSchema, value)).toBe('must be an object');
});

test.each(Object.entries({ name: 120, mobile: 64, email: 254, companyName: 120 }))(
  'lead: %s may have %i characters and not one more',
  (field, limit) => {
    const longest = { ...LEAD, [field]: 'x'.repeat(limit) };
    expect(leadSchema.parse(longest)).toEqual(longest);
    expect(leadSchema.safeParse({ ...LEAD, [field]: 'x'.repeat(limit + 1) }).success).toBe(false);
  },
);

test('lead input: has no control characters, lone surrogates or bidirectional controls', () => {
  expectResults(cleanLeadInput, {
    '\u202a+91 98765\u00a043210\u202c': '+91 98765\u00a043210',
    ' a\u0000b\r\nc\td \ud83d': 'abc d',
    'क्‍ष 👩‍💻': 'क्‍ष 👩‍💻',
    '\u2800 \u3164\u115f': '',
  });
});

test('paste: is cut if a field has less of it that is seen', () => {
  for (const [value, pasted, result] of [
    ['Asha Rao', 'Asha Rao', false],
    ['Dr Asha Rao', 'Asha\r\nRao\u200b ', false],
    ['Asha R', 'Asha Rao', true],
    ['', 'Asha', true],
  ] as const)
    expect([value, pasted, isPasteTruncated(value, pasted)]).toEqual([value, pasted, result]);
});

test('note: has lines, and at most 2,000 characters', () => {
  expect(noteSchema.parse('One\r\ntwo')).toBe('One\ntwo');
  expect(rejection(noteSchema, '\u{1f600}'.repeat(2000))).toBe('');
  expect(rejection(noteSchema, 'x'.repeat(2001))).toBe('must be at most 2000 characters');
});

test('tags: are at most ten of 40 characters, trimmed, without empty and repeated ones', () => {
  expect(tagsSchema.parse([' a ', 'b', 'a', '  ', 'B'])).toEqual(['a', 'b', 'B']);
  const eleven = Array.from('abcdefghijk');
  expect(tagsSchema.parse(eleven.slice(1))).toEqual(eleven.slice(1));
  expect(rejection(tagsSchema, eleven)).toBe('must be at most 10');
  expect(rejection(tagsSchema, ['x'.repeat(41)])).toBe('must be at most 40 characters');
  expect(rejection(tagsSchema, 'x')).toBe('must be a list');
});

test('merge: keeps what the owner typed and what another device has stored since', () => {
  const notes = [
    ['A b', 'A', 'A', 'A b'],
    ['A b', 'A', 'A c', 'A c\nb'],
    ['b', '', 'c', 'c\nb'],
    ['B', 'A', 'A c', 'A c\nB'],
    ['', 'A', 'A c', 'A c'],
    ['c', '', 'A c', 'A c'],
    // The reply to an earlier save was lost.
    ['A bc', 'A', 'A b', 'A bc'],
  ] as const;
  for (const [typed, base, stored, merged] of notes)
    expect(mergeNotes(typed, base, stored)).toBe(merged);
  const lists = [
    ['ab', 'a', 'a', 'ab'],
    ['ab', 'a', 'ac', 'abc'],
    ['', 'a', 'ac', 'c'],
    ['b', 'a', '', 'b'],
    ['ab', 'a', 'ab', 'ab'],
  ] as const;
  for (const [typed, base, stored, merged] of lists)
    expect(mergeLists(typed.split(''), base.split(''), stored.split('')).join('')).toBe(merged);
});
