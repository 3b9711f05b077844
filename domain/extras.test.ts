import { expect, test } from 'vitest';

import { words } from '#tests/support/words.ts';

import { extraProblem, extraSchema, mapsHref, upiLink } from './extras.ts';
import type { Extra } from './extras.ts';

const WRONG_CHECK_DIGIT = 'has a wrong check digit: one of its characters is mistyped';
const FORM = 'must be two digits, a PAN such as AAPFU0939F, and three letters or digits';
const LIKE = 'must be like asha@okaxis';

const rows = (extra: Extra, texts: string[], problem: string) =>
  texts.map((text): [Extra, string, string] => [extra, text, problem]);
const LONGEST_UPI = `${'a'.repeat(256)}@b${'9'.repeat(63)}`;
const NO_UPI = words('asha 98@1x a@okaxis asha@o asha@ok.axis आशा@okaxis a&b@ybl');

test.each<[Extra, string, string]>([
  ...rows('upi', ['asha@okaxis', 'a.b-c_d@ybl', LONGEST_UPI], ''),
  ...rows('upi', [...NO_UPI, 'as ha@okaxis'], LIKE),
  ...rows('gstin', words('27AAPFU0939F1ZV 29AAGCB7383J1Z4 24AAACC1206D1ZM'), ''),
  ['gstin', '27AAPFU0939F1ZW', WRONG_CHECK_DIGIT],
  ['gstin', '27AAPFU0993F1ZV', WRONG_CHECK_DIGIT],
  ['gstin', '27AAPFU0939F1Z', 'must have 15 characters; it has 14'],
  ['gstin', '000000000000000', FORM],
  ['gstin', '27AAPFU0939F1Z-', FORM],
  ['address', 'a\nb\nc\nd\ne', ''],
  ['address', 'a\nb\nc\nd\ne\nf', 'must have at most 5 lines'],
])('extras: %s %s', (extra, text, problem) => {
  expect(extraProblem(extra, text)).toBe(problem);
  const { success, error } = extraSchema(extra).safeParse(text);
  expect([success, error?.issues[0]?.message ?? '']).toEqual([problem === '', problem]);
});

test('extras: a GSTIN is stored in capitals without spaces, an address of 300 characters with its lines', () => {
  expect(extraSchema('gstin').parse(' 27 aapfu 0939f 1zv ')).toBe('27AAPFU0939F1ZV');
  expect(extraSchema('address').parse(' 1 MG Road\r\nPune ')).toBe('1 MG Road\nPune');
  expect(extraSchema('address').safeParse('a'.repeat(301)).success).toBe(false);
  expect(extraSchema('address').safeParse('a\u202eb').success).toBe(false);
});

test('UPI link: has the id as typed, and the name by encodeURIComponent', () => {
  expect(upiLink('asha@okaxis', 'Asha Rao')).toBe('upi://pay?pa=asha@okaxis&pn=Asha%20Rao&cu=INR');
  expect(upiLink('a.b-c_d@ybl', 'R&D #1 देव')).toBe(
    'upi://pay?pa=a.b-c_d@ybl&pn=R%26D%20%231%20%E0%A4%A6%E0%A5%87%E0%A4%B5&cu=INR',
  );
});

test('Maps link: searches the lines of an address', () => {
  expect(mapsHref('1 MG Road\nPune & 411001')).toBe(
    'https://www.google.com/maps/search/?api=1&query=1%20MG%20Road%2C%20Pune%20%26%20411001',
  );
});
