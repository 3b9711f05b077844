import { expect, test } from 'vitest';

import { arrivalText } from './arrival-text.ts';

const NOW = new Date(2026, 10, 22, 18, 0);

test('arrival of a contact: has the time today, the day this year, and the year before that', () => {
  expect(arrivalText(new Date(2026, 10, 22, 9, 41), NOW)).toMatch(/^Today, 9:41\sam$/);
  expect(arrivalText(new Date(2026, 10, 3, 21, 5), NOW)).toMatch(/^3 Nov, 9:05\spm$/);
  expect(arrivalText(new Date(2025, 10, 3, 21, 5), NOW)).toBe('3 Nov 2025');
});
