import { expect, test } from 'vitest';

import { toAsciiDigits } from './digit.ts';

const SCRIPTS = Intl.supportedValuesOf('numberingSystem').filter((system) => {
  const digits = Array.from({ length: 10 }, (_, digit) => numeral(system, digit));
  return digits.every((digit) => /^\p{Nd}$/u.test(digit));
});

function numeral(system: string, digit: number): string {
  return new Intl.NumberFormat('en', { numberingSystem: system }).format(digit);
}

test('the platform knows enough scripts for the next test to mean something', () => {
  expect(SCRIPTS.length).toBeGreaterThan(40);
  expect(SCRIPTS).toEqual(
    expect.arrayContaining(['deva', 'tamldec', 'fullwide', 'arab', 'mathmono']),
  );
});

test.each(SCRIPTS)('the digits of %s become ASCII ones', (system) => {
  const digits = Array.from({ length: 10 }, (_, digit) => numeral(system, digit)).join('');
  expect(toAsciiDigits(digits)).toBe('0123456789');
});

test('what is no decimal digit stays as it is', () => {
  expect(toAsciiDigits('+९१ (x) ½ ² Ⅷ')).toBe('+91 (x) ½ ² Ⅷ');
});
