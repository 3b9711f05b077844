import * as fc from 'fast-check';
import { expect, test, vi } from 'vitest';

import { anyText } from '#tests/support/any-text.ts';
import { words } from '#tests/support/words.ts';

import {
  NFC_INPUT_CHARACTERS_MAX,
  multiLineText,
  cleanInput,
  cutText,
  hasForbiddenCharacter,
  singleLineText,
  normaliseText,
  trimText,
} from './text.ts';

const FORBIDDEN = [
  ...words('\u0000 \u001f \u007f \u009f \u202a \u202e \u2066 \u2069 \ud800 \udc00 \udc00\ud800'),
  '\t',
  '\u000b',
  '\u0085',
];
const brokenText = fc
  .array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 60 })
  .map((units) => String.fromCharCode(...units));

function accepts(schema: ReturnType<typeof singleLineText>, text: string): boolean {
  return schema.safeParse(text).success;
}

test.each(FORBIDDEN)('text schema: rejects %j', (character) => {
  expect(hasForbiddenCharacter(`a${character}b`)).toBe(true);
  expect(accepts(singleLineText(10), `a${character}b`)).toBe(false);
  expect(accepts(multiLineText(10), `a${character}b`)).toBe(false);
});

test('text schema: accepts joiners, direction marks and emoji', () => {
  const text = 'क्‍ष \u200e\u200f 👩‍👩‍👧 ക്‌ഷ';
  expect(singleLineText(120).parse(text)).toBe(text);
});

test('text schema: line breaks become LF in a multi-line text and are rejected in a line', () => {
  expect(multiLineText(20).parse('a\r\nb\rc\nd')).toBe('a\nb\nc\nd');
  for (const lineBreak of ['\n', '\r', '\r\n']) {
    expect(accepts(singleLineText(20), `a${lineBreak}b`)).toBe(false);
  }
});

test('text schema: returns NFC and counts the length in NFC', () => {
  expect(singleLineText(4).parse('cafe\u0301')).toBe('café');
  // U+0958 is two characters in NFC.
  expect(accepts(singleLineText(3), '\u0958\u0958')).toBe(false);
  expect(accepts(singleLineText(4), '\u0958\u0958')).toBe(true);
});

test('text schema: rejects one character more than the limit and names the limit', () => {
  expect(singleLineText(5).parse('12345')).toBe('12345');
  expect(sentences('123456')).toEqual(['must be at most 5 characters']);
});

/** Returns the texts that a call normalises. This takes quadratic time in combining marks. */
function normalisedTexts(call: () => unknown): string[] {
  const normalize = vi.spyOn(String.prototype, 'normalize');
  call();
  const texts = normalize.mock.contexts.map(String);
  normalize.mockRestore();
  return texts;
}

/** Combining marks in an order that makes normalisation quadratic. */
const marks = (length: number) => '\u0315\u0300'.repeat(length / 2);
const JSON_LENGTH_MAX = 64 * 1024;

test.each([
  ['a line', singleLineText(120)],
  ['lines', multiLineText(2000)],
])('text schema: rejects %s of 64 KB before it is normalised', (_, schema) => {
  const hostile = marks(JSON_LENGTH_MAX);
  let isAccepted = true;
  expect(normalisedTexts(() => (isAccepted = accepts(schema, hostile)))).toEqual([]);
  expect(isAccepted).toBe(false);
});

test('text schema: normalises at most 30 combining marks in a row', () => {
  const texts = normalisedTexts(() => accepts(multiLineText(2000), marks(8000)));
  expect(texts).toHaveLength(1);
  expect(texts.filter((text) => /(?:(?!\u034f)\p{M}){31}/u.test(text))).toEqual([]);
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
  expect(rawMax).toBe(NFC_INPUT_CHARACTERS_MAX);
});

test('normalise text: is NFC and idempotent, with at most 30 combining marks in a row', () => {
  const unit = fc.constantFrom(...words('a e\u0301 \u0958 \u0315 \u0300 \u0345 \u034f क्षि'));
  const run = fc.tuple(unit, fc.integer({ min: 1, max: 70 })).map(([text, n]) => text.repeat(n));
  fc.assert(
    fc.property(fc.array(run, { maxLength: 6 }), (runs) => {
      const text = normaliseText(runs.join(''));
      expect(text.normalize('NFC')).toBe(text);
      expect(normaliseText(text)).toBe(text);
      expect(cleanInput(text, 1000)).toBe(text.slice(0, 1000));
      expect(/(?:(?!\u034f)\p{M}){31}/u.test(text)).toBe(false);
    }),
  );
  const ordinary = `a${'\u0301\u0323'.repeat(15)}b`;
  expect(normaliseText(ordinary)).toBe(ordinary.normalize('NFC'));
});

test('normalise text: separates marks and loses none', () => {
  const mark = '\u0315';
  expect(normaliseText(`a${mark.repeat(65)}`)).toBe(
    `a${mark.repeat(30)}\u034f${mark.repeat(30)}\u034f${mark.repeat(5)}`,
  );
});

test.each([null, 5, {}, ['a'], true])('text schema: rejects %j, which is not text', (value) => {
  expect(sentences(value)).toEqual(['must be text']);
});

test('text schema: names one reason only', () => {
  const forbidden =
    'must not contain control characters, bidirectional overrides or broken characters';
  expect(sentences('a\u0000')).toEqual([forbidden]);
  expect(sentences('123456\u0000')).toEqual(['must be at most 5 characters']);
});

function sentences(value: unknown): string[] | undefined {
  return singleLineText(5)
    .safeParse(value)
    .error?.issues.map(({ message }) => message);
}

test('clean input: every result is accepted by the server', () => {
  fc.assert(
    fc.property(
      fc.oneof(anyText(80), brokenText),
      fc.integer({ min: 1, max: 60 }),
      (typed, max) => {
        const cleaned = cleanInput(typed, max);
        expect(multiLineText(max).parse(cleaned)).toBe(trimText(cleaned));
      },
    ),
    { numRuns: 2000 },
  );
});

test('clean input: is idempotent and does not change valid text', () => {
  fc.assert(
    fc.property(anyText(80), (typed) => {
      const cleaned = cleanInput(typed, 100);
      expect(cleanInput(cleaned, 100)).toBe(cleaned);
      if (!hasForbiddenCharacter(typed) && normaliseText(typed).length <= 100) {
        expect(cleaned).toBe(normaliseText(typed));
      }
    }),
  );
});

test('clean input: line breaks become LF, tabs spaces, and bidirectional controls go', () => {
  expect(cleanInput('a\r\nb\rc\nd', 10)).toBe('a\nb\nc\nd');
  expect(cleanInput('Asha\tRao', 120)).toBe('Asha Rao');
  expect(cleanInput('\u202a+91 98765 43210\u202c', 32)).toBe('+91 98765 43210');
});

test('clean input: removes halves of characters before it is normalised, and cuts none in half', () => {
  expect(cleanInput('a\ud800b\udc00c\ud800\udc01\ud800', 10)).toBe('abc\u{10001}');
  expect(cleanInput('e\ud800\ud800\u0301', 2)).toBe('é');
  expect(cleanInput('abc😀', 4)).toBe('abc');
});

test('cut text: 20 characters stay whole and 21 are cut with three dots', () => {
  expect(cutText('12345678901234567890', 20)).toBe('12345678901234567890');
  expect(cutText('123456789012345678901', 20)).toBe('12345678901234567890...');
  expect(cutText('', 20)).toBe('');
});

function clusters(text: string): string[] {
  return [...new Intl.Segmenter().segment(text)].map((one) => one.segment);
}

test('cut text: cuts between grapheme clusters', () => {
  const unit = fc.constantFrom('a', 'क्षि', '👩‍👩‍👧', 'é', 'e\u0301', '🇮🇳', 'ம்', ' ');
  fc.assert(
    fc.property(
      fc.array(unit, { maxLength: 40 }),
      fc.integer({ min: 1, max: 25 }),
      (units, max) => {
        const text = units.join('');
        const whole = clusters(text);
        const expected = whole.length <= max ? text : `${whole.slice(0, max).join('')}...`;
        expect(cutText(text, max)).toBe(expected);
      },
    ),
  );
});

test('text: is trimmed, and blank text is empty', () => {
  const parsed = [' ', '\t\n', ' a b\n'].map((text) => singleLineText(9).parse(text));
  expect(parsed).toEqual(['', '', 'a b']);
  const blank = [' \n', '\u200b', '\u2060 \u3164', '\u200d\n\u200c'];
  const kept = ['\u200ba', 'क्\u200dष'];
  const lines = [...blank, ...kept].map((text) => multiLineText(9).parse(text));
  expect(lines).toEqual([...blank.map(() => ''), ...kept]);
});
