import { expect, test } from 'vitest';

import { formatPhone, toE164 } from './phone.ts';

test('card phone: is spaced as its country writes it', () => {
  const typed = [
    '9876543210',
    '+919876543210',
    '+442071838750',
    '+14155552671',
    '+33142685300',
    '+911711234567',
  ];
  expect(typed.map(formatPhone)).toEqual([
    '+91 98765 43210',
    '+91 98765 43210',
    '+44 20 7183 8750',
    '+1 415 555 2671',
    '+33 1 42 68 53 00',
    '+91 171 123 4567',
  ]);
});

test('card phone: is shown as typed if it is not valid', () => {
  const typed = [
    '',
    '12',
    'ask at the desk',
    '+91 98765 43210 ext. 5',
    '0171 1234567',
    '**21*9876543210#',
  ];
  expect(typed.map(formatPhone)).toEqual(typed);
});

test('card phone: is E.164 in the contact file if it can be parsed', () => {
  expect(['098765 43210', '९८७६५ ४३२१०', 'no phone'].map(toE164)).toEqual([
    '+919876543210',
    '+919876543210',
    'no phone',
  ]);
});
