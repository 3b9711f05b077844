import { expect, test } from 'vitest';

import { formatPhone } from './phone-format.ts';

test('phone: is spaced as its country writes it', () => {
  const typed = [
    '9876543210',
    '(98765) 432-10',
    '९८७६५.४३२१०',
    '+919876543210',
    '+442071838750',
    '+1 (415) 555-2671',
    '+33142685300',
    '+911711234567',
  ];
  expect(typed.map(formatPhone)).toEqual([
    '+91 98765 43210',
    '+91 98765 43210',
    '+91 98765 43210',
    '+91 98765 43210',
    '+44 20 7183 8750',
    '+1 415 555 2671',
    '+33 1 42 68 53 00',
    '+91 171 123 4567',
  ]);
});

test('phone: is as typed if it is not valid', () => {
  const typed = [
    '',
    '12',
    '98765',
    'ask at the desk',
    '+91 98765 43210 ext. 5',
    '98765 43210 (office)',
    '+44 20 7183 8750 Asha',
    '98765 43210 98765',
    '+44 20 7183',
    '**21*9876543210#',
  ];
  expect(typed.map(formatPhone)).toEqual(typed);
});

test('phone: is as typed without a country code, unless it is an Indian mobile number', () => {
  const typed = ['(415) 555-2671', '07911 123456', '0171 1234567', '098765 43210', '919876543210'];
  expect(typed.map(formatPhone)).toEqual(typed);
});
