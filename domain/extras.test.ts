import { expect, test } from 'vitest';

import { rejection } from '#tests/support/results.ts';
import { words } from '#tests/support/words.ts';

import { cleanExtra, extraProblem, extraSchema, linksSchema, upiLink } from './extras.ts';
import type { Extra, ExtraLink } from './extras.ts';

const WRONG_CHECK_DIGIT = 'has a wrong check digit: one of its characters is mistyped';
const FORM = 'must be two digits, a PAN such as AAPFU0939F, and three letters or digits';
const LIKE = 'must look like asha@okaxis';
const LONGEST_UPI = `${'a'.repeat(256)}@b${'9'.repeat(63)}`;

test.each<[Exclude<Extra, 'links'>, string, string[]]>([
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

const FAMILY = '👨‍👩‍👧‍👦';

const link = (url: string, label = 'Book') => ({ label, url });
const LONG_URL = `https://a.example/${'a'.repeat(2030)}`;
const NO_LABEL = 'must have 1 to 30 characters';
const NO_URL = 'must be a link that others can open';

test.each<[ExtraLink, string, string]>([
  [link('calendly.com/asha'), 'https://calendly.com/asha', ''],
  [link('HTTP://a.example', FAMILY.repeat(30)), 'HTTP://a.example', ''],
  [link(LONG_URL), LONG_URL, ''],
  [link('a.example', FAMILY.repeat(31)), '', NO_LABEL],
  [link('a.example', ''), '', NO_LABEL],
  ...words(
    `javascript:alert(1) data:text/html,x https://me:secret@a.example http://localhost/x asha ${LONG_URL}a`,
  ).map((url): [ExtraLink, string, string] => [link(url), '', NO_URL]),
  [link(''), '', NO_URL],
])('extras: link: %j is %j, %j', (typed, stored, problem) => {
  expect(rejection(linksSchema, [typed])).toBe(problem);
  const json = cleanExtra('links', JSON.stringify([typed]));
  expect(extraProblem('links', json)).toBe(problem);
  if (problem !== '') return;
  expect(linksSchema.parse([typed])).toEqual([{ ...typed, url: stored }]);
  expect(json).toBe(JSON.stringify([{ ...typed, url: stored }]));
});

test('extras: at most three links, without those that are empty', () => {
  const one = link('https://a.example');
  expect(rejection(linksSchema, [one, one, one])).toBe('');
  expect(rejection(linksSchema, [one, one, one, one])).not.toBe('');
  const empty = { label: ' ', url: '' };
  expect(cleanExtra('links', JSON.stringify([empty, one]))).toBe(JSON.stringify([one]));
  expect(cleanExtra('links', JSON.stringify([empty]))).toBe('');
});

test('UPI link: a name is text in it, and adds no amount', () => {
  const { searchParams } = new URL(upiLink('asha@okaxis', 'Asha&am=900#?'));
  const query = { pa: 'asha@okaxis', pn: 'Asha&am=900#?', cu: 'INR' };
  expect([...searchParams]).toEqual(Object.entries(query));
  expect(upiLink('asha@okaxis', ' ')).toBe('upi://pay?pa=asha@okaxis&cu=INR');
});
