import { expect, test } from 'vitest';

import { parsePhone } from './phone.ts';

/** Replaces the parser of the library. */
const parse = (text: string, country: string) =>
  text === 'no phone'
    ? undefined
    : {
        text: `${text} in ${country}`,
        ext: text.includes('ext') ? '5' : undefined,
        isPossible: () => !text.startsWith('short'),
      };

test('parse phone: is the library’s result for India, unless it is impossible or has an extension', () => {
  const texts = ['९८७६५', '98765 ext. 5', 'short', 'short ext. 5', 'no phone'];
  expect(texts.map((text) => parsePhone(text, parse)?.text)).toEqual([
    '98765 in IN',
    ...Array<undefined>(4).fill(undefined),
  ]);
});
