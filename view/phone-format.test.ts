import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { expectResults } from '#tests/support/results.ts';

import { formatPhone } from './phone-format.ts';

test('phone: is spaced as its country writes it', () => {
  expectResults(formatPhone, {
    '9876543210': '98765 43210',
    '(98765) 432-10': '98765 43210',
    '९८७६५४३२१०': '९८७६५ ४३२१०',
    '+919876543210': '+91 98765 43210',
    '＋９１９８７６５４３２１０': '＋９１ ９８７６５ ４３２１０',
    '+442071838750': '+44 20 7183 8750',
    '+1 (415) 555-2671': '+1 415 555 2671',
    '+911711234567': '+91 171 123 4567',
  });
});

test('phone: is as typed if it is not valid, its digits would change, or its country is unknown', () => {
  const invalid = `|12|98765|ask at the desk|98765.43210|+91 98765 43210 ext. 5|98765 43210 (office)
    |+44 20 7183 8750 Asha|98765 43210 98765|+44 20 7183|+44 (0)20 7183 8750|+91 098765 43210
    |**21*9876543210#`;
  const foreign = '(415) 555-2671|07911 123456|0171 1234567|098765 43210|919876543210';
  const typed = `${invalid}|${foreign}`.split(/\s*\|/);
  expect(typed.map(formatPhone)).toEqual(typed);
});

test('phone: every phone is as typed, or differs only in spaces, hyphens and parentheses', () => {
  const code = fc.constantFrom('', '', '+', '+91', '+44', '+1', '+55', '+81', '＋91', '0', '00');
  const piece = fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom(...Array.from('0123456789')) },
    { weight: 2, arbitrary: fc.constantFrom(...Array.from(' -()')) },
    { weight: 1, arbitrary: fc.constantFrom('.', '+', '९', '٣', '𝟗', '９', '\u00a0', 'x', '#') },
  );
  const rest = fc.array(piece, { minLength: 4, maxLength: 16 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(code, rest, (start, end) => {
      const typed = start + end;
      const formatted = formatPhone(typed);
      if (formatted !== typed)
        expect(formatted.replaceAll(' ', '')).toBe(typed.replace(/[\s()-]/g, ''));
    }),
    { numRuns: 1000 },
  );
});
