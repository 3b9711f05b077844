import { expect, test } from 'vitest';

import { toAsciiDigits } from './digit.ts';

const digitsOf = (numberingSystem: string) => {
  const numbers = new Intl.NumberFormat('en', { numberingSystem });
  return Array.from({ length: 10 }, (_, digit) => numbers.format(digit)).join('');
};

test('digits: those of each script become ASCII, and other characters are unchanged', () => {
  const scripts = Intl.supportedValuesOf('numberingSystem').filter((system) =>
    /^\p{Nd}{10}$/u.test(digitsOf(system)),
  );
  expect(scripts.length).toBeGreaterThan(40);
  const common = ['deva', 'tamldec', 'fullwide', 'arab', 'mathmono'];
  expect(scripts).toEqual(expect.arrayContaining(common));
  const wrong = scripts.filter((script) => toAsciiDigits(digitsOf(script)) !== '0123456789');
  expect(wrong).toEqual([]);
  expect(toAsciiDigits('+९१ (x) ½ ² Ⅷ')).toBe('+91 (x) ½ ² Ⅷ');
});
