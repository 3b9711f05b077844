import { expect, test } from 'vitest';

import { toE164 } from './phone.ts';

test('phone: is E.164 in the contact file if it can be parsed', () => {
  expect(['098765 43210', '९८७६५ ४३२१०', 'no phone'].map(toE164)).toEqual([
    '+919876543210',
    '+919876543210',
    'no phone',
  ]);
});
