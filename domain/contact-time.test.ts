import { expect, test } from 'vitest';

import { contactTimeDigits, contactTimeMs } from './contact-time.ts';

test('contact time: is read from the id, and null for an id of another form', () => {
  const time = Date.UTC(2026, 0, 15, 9, 30);
  expect(contactTimeDigits(time)).toBe('0mkf90q80');
  expect(contactTimeMs('0mkf90q80000abcdefghi')).toBe(time);
  expect([-1, 0, 36].map(contactTimeDigits)).toEqual(['000000000', '000000000', '000000010']);
  const others = ['', 'short', 'UPPERCASE0', '        000'];
  expect(others.filter((id) => contactTimeMs(id) !== null)).toEqual([]);
});
