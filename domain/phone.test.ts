import { expect, test } from 'vitest';

import { parsePhone } from './phone.ts';

/** Replaces the parser of the library. */
const parse = (text: string, country: string) => ({
  text: `${text} in ${country}`,
  ext: text.includes('ext') ? '5' : undefined,
  isPossible: () => !text.startsWith('short'),
});

test('parse phone: is the library’s result for India, unless it is impossible or has an extension', () => {
  expect(parsePhone('९८७६५', parse)?.text).toBe('98765 in IN');
  const others = ['98765 ext. 5', 'short', 'short ext. 5'].map((text) => parsePhone(text, parse));
  expect([...others, parsePhone('no phone', () => undefined)]).toEqual(Array(4).fill(undefined));
});
