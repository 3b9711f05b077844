import { expect, test } from 'vitest';

import { internationalPhone } from './firebase-form.ts';

test.each([
  '9876543210',
  '09876543210',
  '919876543210',
  '+91 98765 43210',
  '(+91) 98765-43210',
  '९८७६५४३२१०',
  '９８７６５４３２１０',
  '＋919876543210',
  '\u202a+91 98765 43210\u202c',
])('international phone: %s is valid', (typed) => {
  expect(internationalPhone(typed)).toBe('+919876543210');
});

test('international phone: a number from another country needs a plus sign', () => {
  expect(internationalPhone('+971 50 123 4567')).toBe('+971501234567');
  expect(internationalPhone('971501234567')).toBeNull();
});

test.each(['', '12345', '1876543210', 'my phone', '+0123456789', '98765432101'])(
  'international phone: %j is invalid',
  (typed) => {
    expect(internationalPhone(typed)).toBeNull();
  },
);
