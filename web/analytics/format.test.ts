import { expect, test } from 'vitest';

import { formatDay, formatShare, formatWeekday, timeZoneName } from './format.ts';

test('analytics: days, shares and time zones are written in one way', () => {
  expect([formatDay('2026-11-22'), formatWeekday('2026-11-23')]).toEqual(['22 Nov', 'Mon 23 Nov']);
  const shares = [
    [300, 300],
    [19, 46],
    [1, 2000],
    [0, 46],
    [0, 0],
  ].map(([part = 0, whole = 0]) => formatShare(part, whole));
  expect(shares).toEqual(['100%', '41%', '<1%', '0%', '']);
  const zones = ['Asia/Kolkata', 'UTC', ''].map(timeZoneName);
  expect(zones).toEqual(['India Standard Time', 'UTC', 'UTC']);
});
