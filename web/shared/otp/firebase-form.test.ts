import { expect, test } from 'vitest';

import { internationalPhone } from './firebase-form.ts';

test('international phone: is one of India in any notation, or has a plus sign', () => {
  const indian = `9876543210|09876543210|919876543210|+91 98765 43210|(+91) 98765-43210|९८७६५४३२१०
    |９８７６５４３２１０|＋919876543210|\u202a+91 98765 43210\u202c`.split(/\s*\|/);
  expect(indian.map(internationalPhone)).toEqual(indian.map(() => '+919876543210'));
  expect(internationalPhone('+971 50 123 4567')).toBe('+971501234567');
  const invalid = '|971501234567|12345|1876543210|my phone|+0123456789|98765432101'.split('|');
  expect(invalid.map(internationalPhone)).toEqual(invalid.map(() => null));
});
