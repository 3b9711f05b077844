import { expect, test } from 'vitest';

import { contactTimeDigits, contactTimeMs } from './contact.ts';
import { createLocalDay, createLocalTime, formatDay, localTimeMs } from './local-time.ts';

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

test('contact time: is read from the id, and null for an id of another form', () => {
  const time = Date.UTC(2026, 0, 15, 9, 30);
  expect(contactTimeDigits(time)).toBe('0mkf90q80');
  expect(contactTimeMs('0mkf90q80000abcdefghi')).toBe(time);
  expect([-1, 0, 36].map(contactTimeDigits)).toEqual(['000000000', '000000000', '000000010']);
  const others = ['', 'short', 'UPPERCASE0', '        000'];
  expect(others.filter((id) => contactTimeMs(id) !== null)).toEqual([]);
});

test.each([
  ['2026-01-16', 'Asia/Kolkata', '2026-01-16T03:30'],
  ['2026-03-28', 'Europe/Berlin', '2026-03-28T08:00'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T07:00'],
  ['2026-10-25', 'Europe/Berlin', '2026-10-25T08:00'],
  ['2026-11-01', 'America/New_York', '2026-11-01T14:00'],
  ['2026-01-16', 'Pacific/Kiritimati', '2026-01-15T19:00'],
  ['2026-01-16', 'Pacific/Pago_Pago', '2026-01-16T20:00'],
])('local time: nine on %s in %s is %s UTC', (day, timeZone, expected) => {
  expect(new Date(localTimeMs(day, 9, timeZone)).toISOString().slice(0, 16)).toBe(expected);
});
