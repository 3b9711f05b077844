import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';

import { anyText } from '#tests/support/any-text.ts';
import { expectResults, rejection } from '#tests/support/results.ts';
import { words } from '#tests/support/words.ts';

import { toAsciiDigits } from './digit.ts';
import { ID_ALPHABET, ID_LENGTH, userIdSchema } from './identifier.ts';
import {
  NFC_INPUTS_PER_CHARACTER_MAX,
  identifierText,
  multiLineText,
  singleLineText,
} from './text.ts';
import {
  cleanIdentifier,
  cleanInput,
  cleanLineInput,
  cutText,
  hasForbiddenCharacter,
  normaliseText,
  trimText,
} from './text.ts';

const accepts = (schema: ReturnType<typeof singleLineText>, text: string) =>
  rejection(schema, text) === '';

test('text schema: rejects what is no text, what is too long and forbidden characters, with one reason', () => {
  const forbidden =
    'must not contain control characters, bidirectional overrides or broken characters';
  const characters = words(`\u0000 \u001f \u007f \u009f \u202a \u202e \u2066 \u2069 \ud800 \udc00
    \udc00\ud800`).concat('\t', '\u000b', '\u0085');
  for (const text of characters.map((character) => `a${character}b`)) {
    expect(hasForbiddenCharacter(text)).toBe(true);
    for (const schema of [singleLineText(10), multiLineText(10)])
      expect([text, rejection(schema, text)]).toEqual([text, forbidden]);
  }
  for (const lineBreak of ['\n', '\r', '\r\n'])
    expect(rejection(singleLineText(5), `a${lineBreak}b`)).toBe(forbidden);
  for (const value of [null, 5, {}, ['a'], true])
    expect(rejection(singleLineText(5), value)).toBe('must be text');
  expect(singleLineText(5).parse('12345')).toBe('12345');
  for (const text of ['123456', '123456\u0000'])
    expect(rejection(singleLineText(5), text)).toBe('must be at most 5 characters');
});

test('text schema: is in NFC, whose length counts, with joiners, direction marks and emoji, and LF', () => {
  const text = 'क्‍ष \u200e\u200f 👩‍👩‍👧 ക്‌ഷ';
  expect(singleLineText(120).parse(text)).toBe(text);
  expect(multiLineText(20).parse('a\r\nb\rc\nd')).toBe('a\nb\nc\nd');
  expect(singleLineText(4).parse('cafe\u0301')).toBe('café');
  // U+0958 is two characters in NFC.
  const accepted = [3, 4].map((max) => accepts(singleLineText(max), '\u0958\u0958'));
  expect(accepted).toEqual([false, true]);
});

test('text: is trimmed, and blank text is empty', () => {
  const single = { ' ': '', '\t\n': '', ' a b\n': 'a b' };
  expectResults((text) => singleLineText(9).parse(text), single);
  const invisible = words('\u200b \u115f \u1160 \u2800 \u3164 \uffa0 \ufff9 \u00ad');
  const blank = {
    ' \n': '',
    '\u2060 \u3164': '',
    '\u200d\n\u200c': '',
    ...Object.fromEntries(invisible.map((character) => [character, ''])),
  };
  const kept = { '\u200ba': '\u200ba', 'क्\u200dष': 'क्\u200dष' };
  expectResults((text) => multiLineText(9).parse(text), { ...blank, ...kept });
});

/** The texts that a call normalises. This takes quadratic time in combining marks. */
function normalisedTexts(call: () => unknown): string[] {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  call();
  const texts = normalize.mock.contexts.map(String);
  normalize.mockRestore();
  return texts;
}

test('text schema: rejects 64 KB before it is normalised, and normalises at most 30 combining marks in a row', () => {
  // In an order that makes normalisation quadratic.
  const marks = '\u0315\u0300'.repeat(32_768);
  for (const schema of [singleLineText(120), multiLineText(2000)])
    expect(normalisedTexts(() => expect(accepts(schema, marks)).toBe(false))).toEqual([]);
  const texts = normalisedTexts(() => accepts(multiLineText(2000), marks.slice(0, 8000)));
  expect(texts).toHaveLength(1);
  expect(texts[0]).not.toMatch(/(?:(?!\u034f)\p{M}){31}/u);
});

test('text schema: accepts every text of the longest length in decomposed form', () => {
  const longest = String.fromCodePoint(0x1f82).repeat(120);
  expect(longest.normalize('NFD')).toHaveLength(4 * 120);
  expect(singleLineText(120).parse(longest.normalize('NFD'))).toBe(longest);
  expect(accepts(singleLineText(120), 'a'.repeat(481))).toBe(false);
  let rawMax = 0;
  for (let point = 0; point <= 0x10ffff; point += 1) {
    const character = String.fromCodePoint(point);
    const raw = character.normalize('NFD');
    const { length } = Array.from(raw);
    if (length > rawMax && raw.normalize('NFC') === character) rawMax = length;
  }
  expect(rawMax).toBe(NFC_INPUTS_PER_CHARACTER_MAX);
});

test('normalise text: is NFC and idempotent, with at most 30 combining marks in a row, and loses none', () => {
  const unit = fc.constantFrom(...words('a e\u0301 \u0958 \u0315 \u0300 \u0345 \u034f क्षि'));
  const run = fc.tuple(unit, fc.integer({ min: 1, max: 70 })).map(([text, n]) => text.repeat(n));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
      const text = normaliseText(runs.join(''));
      expect(text.normalize('NFC')).toBe(text);
      expect(normaliseText(text)).toBe(text);
      expect(cleanInput(text)).toBe(text);
      expect(/(?:(?!\u034f)\p{M}){31}/u.test(text)).toBe(false);
    }),
  );
  const ordinary = `a${'\u0301\u0323'.repeat(15)}b`;
  expect(normaliseText(ordinary)).toBe(ordinary.normalize('NFC'));
  const [mark, five] = ['\u0315'.repeat(30), '\u0315'.repeat(5)];
  expect(normaliseText(`a${mark}${mark}${five}`)).toBe(`a${mark}\u034f${mark}\u034f${five}`);
});

test('clean input: every result is accepted by the server unless it is too long, is idempotent and does not change valid text', () => {
  const brokenText = fc
    .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
    .map((units) => String.fromCharCode(...units));
  fc.assert(
    fc.property(fc.oneof(anyText(80), brokenText), (typed) => {
      const cleaned = cleanInput(typed);
      expect(multiLineText(cleaned.length + 1).parse(cleaned)).toBe(trimText(cleaned));
      expect(cleanInput(cleaned)).toBe(cleaned);
      if (!hasForbiddenCharacter(typed))
        expect(cleaned).toBe(normaliseText(typed.replace(/[\u2028\u2029]/g, '\n')));
    }),
    { numRuns: 2000 },
  );
});

test('clean identifier: is what the server stores, and idempotent', () => {
  fc.assert(
    fc.property(anyText(40), (typed) => {
      const cleaned = cleanIdentifier(typed);
      expect(identifierText(cleaned.length).parse(cleaned)).toBe(cleaned);
      expect(cleanIdentifier(cleaned)).toBe(cleaned);
    }),
  );
  expectResults(cleanIdentifier, {
    '\u2066+91 98450\u200b 12345\u2069\n': '+91 98450 12345',
    'asha\u00ad@rao\u2060.example': 'asha@rao.example',
    'e\u200d\u0301': 'é',
  });
});

test('clean input: line breaks become LF, tabs spaces, and controls and halves of characters go', () => {
  expectResults(cleanInput, {
    'a\r\nb\rc\nd\u2028e\vf': 'a\nb\nc\nd\ne\nf',
    'Asha\tRao': 'Asha Rao',
    '\u202a+91 98765 43210\u202c': '+91 98765 43210',
    'a\ud800b\udc00c\ud800\udc01\ud800': 'abc\u{10001}',
  });
  expect(cleanLineInput('Asha\u2028Rao\n')).toBe('Asha Rao ');
  // Before it is normalised.
  expect(cleanInput('e\ud800\ud800\u0301')).toBe('é');
});

test('cut text: has three dots if it is longer, and is cut between grapheme clusters', () => {
  const unit = fc.constantFrom('a', 'क्षि', '👩‍👩‍👧', 'é', 'e\u0301', '🇮🇳', 'ம்', ' ');
  const texts = fc.array(unit, { maxLength: 40 }).map((units) => units.join(''));
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 25 }), (text, max) => {
      const whole = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
      const expected = whole.length <= max ? text : `${whole.slice(0, max).join('')}...`;
      expect(cutText(text, max)).toBe(expected);
    }),
  );
});

const digitsOf = (numberingSystem: string) => {
  const numbers = new Intl.NumberFormat('en', { numberingSystem });
  return Array.from({ length: 10 }, (_, digit) => numbers.format(digit)).join('');
};

test('digits: those of each script become ASCII, and other characters are unchanged', () => {
  const scripts = Intl.supportedValuesOf('numberingSystem').filter((system) =>
    /^\p{Nd}{10}$/u.test(digitsOf(system)),
  );
  const common = words('deva tamldec fullwide arab mathmono');
  expect(scripts).toEqual(expect.arrayContaining(common));
  const wrong = scripts.filter((script) => toAsciiDigits(digitsOf(script)) !== '0123456789');
  expect(wrong).toEqual([]);
  expect(toAsciiDigits('+९१ (x) ½ ² Ⅷ')).toBe('+91 (x) ½ ² Ⅷ');
});

test('user id: has 16 characters of the alphabet', () => {
  for (const character of ID_ALPHABET)
    expect(rejection(userIdSchema, character.repeat(ID_LENGTH))).toBe('');
  const valid = '1'.repeat(ID_LENGTH);
  const lookAlikes = Array.from('0OIl/१ %\0', (one) => one + valid.slice(1));
  for (const id of ['', valid.slice(1), `${valid}1`, `${valid}\n`, ...lookAlikes])
    expect(rejection(userIdSchema, id)).toBe('is not an id');
  for (const id of [null, 5, [valid]]) expect(rejection(userIdSchema, id)).toBe('must be an id');
});
