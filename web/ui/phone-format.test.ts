import { expect, test } from 'vitest';

import { formatPhone } from './phone-format.ts';

test('phone in the browser: is spaced as on the public card', () => {
  const typed = ['9876543210', '+442071838750', '+33142685300', '98765', '**21*9876543210#'];
  expect(typed.map(formatPhone)).toEqual([
    '+91 98765 43210',
    '+44 20 7183 8750',
    '+33 1 42 68 53 00',
    '98765',
    '**21*9876543210#',
  ]);
});
