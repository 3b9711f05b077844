import { expect, test } from 'vitest';

import { createLocalDay, createLocalTime, formatDay } from './local-time.ts';

test('local time: is that of the time zone', () => {
  const evening = Date.parse('2026-01-15T18:30:00Z');
  const zones = ['UTC', 'Asia/Kolkata', 'America/St_Johns'];
  const expected = ['2026-01-15 18:30', '2026-01-16 00:00', '2026-01-15 15:00'];
  expect(zones.map((zone) => createLocalTime(zone)(evening))).toEqual(expected);
});

test.each([
  ['Asia/Kolkata', '2026-01-15T18:29:59.999Z', '2026-01-15'],
  ['Asia/Kolkata', '2026-01-15T18:30:00Z', '2026-01-16'],
  // The clocks change.
  ['Europe/Berlin', '2026-03-28T23:30:00Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T21:59:00Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
])('local day: in %s %s is on %s', (zone, time, day) => {
  expect(formatDay(createLocalDay(zone)(Date.parse(time)))).toBe(day);
});
