import { expect, test } from 'vitest';

import { toAsciiDigits } from './digit.ts';

const SCRIPTS = Intl.supportedValuesOf('numberingSystem').filter((system) => {
  const digits = Array.from({ length: 10 }, (_, digit) => numeral(system, digit));
  return digits.every((digit) => /^\p{Nd}$/u.test(digit));
});

function numeral(system: string, digit: number): string {
  return new Intl.NumberFormat('en', { numberingSystem: system }).format(digit);
}

test('digits: the platform has enough numbering systems for this test', () => {
  expect(SCRIPTS.length).toBeGreaterThan(40);
  expect(SCRIPTS).toEqual(
    expect.arrayContaining(['deva', 'tamldec', 'fullwide', 'arab', 'mathmono']),
  );
});

test.each(SCRIPTS)('digits: those of %s become ASCII', (system) => {
  const digits = Array.from({ length: 10 }, (_, digit) => numeral(system, digit)).join('');
  expect(toAsciiDigits(digits)).toBe('0123456789');
});

test('digits: other characters are unchanged', () => {
  expect(toAsciiDigits('+९१ (x) ½ ² Ⅷ')).toBe('+91 (x) ½ ² Ⅷ');
});
