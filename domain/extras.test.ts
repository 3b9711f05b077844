import { expect, test } from 'vitest';

import { rejection } from '#tests/support/results.ts';
import { words } from '#tests/support/words.ts';

import { extraProblem, extraSchema, upiLink } from './extras.ts';
import type { Extra } from './extras.ts';

const WRONG_CHECK_DIGIT = 'has a wrong check digit: one of its characters is mistyped';
const FORM = 'must be two digits, a PAN such as AAPFU0939F, and three letters or digits';
const LIKE = 'must be like asha@okaxis';
const LONGEST_UPI = `${'a'.repeat(256)}@b${'9'.repeat(63)}`;

test.each<[Extra, string, string[]]>([
  ['upi', '', ['asha@okaxis', 'a.b-c_d@ybl', LONGEST_UPI]],
  ['upi', LIKE, words('asha 98@1x a@okaxis asha@o asha@ok.axis आशा@okaxis a&b@ybl')],
  ['upi', LIKE, ['as ha@okaxis']],
  ['gstin', '', words('27AAPFU0939F1ZV 29AAGCB7383J1Z4 24AAACC1206D1ZM')],
  ['gstin', WRONG_CHECK_DIGIT, words('27AAPFU0939F1ZW 27AAPFU0993F1ZV')],
  ['gstin', 'must have 15 characters; it has 14', ['27AAPFU0939F1Z']],
  ['gstin', FORM, words('000000000000000 27AAPFU0939F1Z-')],
  ['address', '', ['a\nb\nc\nd\ne']],
  ['address', 'must have at most 5 lines', ['a\nb\nc\nd\ne\nf']],
])('extras: %s: %j is said of %j', (extra, problem, texts) => {
  for (const text of texts) {
    expect([text, extraProblem(extra, text)]).toEqual([text, problem]);
    expect([text, rejection(extraSchema(extra), text)]).toEqual([text, problem]);
  }
});

test('extras: a GSTIN is stored in capitals without spaces, an address of 300 characters with its lines', () => {
  expect(extraSchema('gstin').parse(' 27 aapfu 0939f 1zv ')).toBe('27AAPFU0939F1ZV');
  expect(extraSchema('address').parse(' 1 MG Road\r\nPune ')).toBe('1 MG Road\nPune');
  for (const wrong of ['a'.repeat(301), 'a\u202eb'])
    expect(rejection(extraSchema('address'), wrong)).not.toBe('');
});

test('UPI link: a name is text in it, and adds no amount', () => {
  const { searchParams } = new URL(upiLink('asha@okaxis', 'Asha&am=900#?'));
  expect([...searchParams]).toEqual([
    ['pa', 'asha@okaxis'],
    ['pn', 'Asha&am=900#?'],
    ['cu', 'INR'],
  ]);
});
