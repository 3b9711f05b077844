import { expect, test } from 'vitest';

import { arrivalText, dayHeading, fullText } from './date-text.ts';

const NOW = new Date(2026, 10, 22, 18, 0);

test('arrival of a contact: has the time today, the day this year, and the year before that', () => {
  expect(arrivalText(new Date(2026, 10, 22, 9, 41), NOW)).toMatch(/^Today, 9:41\sam$/);
  expect(arrivalText(new Date(2026, 10, 3, 21, 5), NOW)).toMatch(/^3 Nov, 9:05\spm$/);
  expect(arrivalText(new Date(2025, 10, 3, 21, 5), NOW)).toBe('3 Nov 2025');
  expect(fullText(new Date(2025, 10, 3, 21, 5))).toMatch(/^3 Nov 2025, 9:05\spm$/);
});

test('heading of a day: names today and yesterday, and the weekday of other days of the year', () => {
  const days = ['2026-11-22T00:01', '2026-11-21T23:59', '2026-11-09T09:00', '2025-12-31T09:00'];
  const headings = days.map((day) => dayHeading(new Date(day), NOW));
  expect(headings).toEqual(['Today', 'Yesterday', 'Mon 9 Nov', '31 Dec 2025']);
});
