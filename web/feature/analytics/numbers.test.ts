import { expect, test } from 'vitest';

import { formatDay, formatShare, formatWeekday, timeZoneName } from './numbers.ts';

test('analytics: days, shares and time zones are written in one way', () => {
  expect([formatDay('2026-11-22'), formatWeekday('2026-11-23')]).toEqual(['22 Nov', 'Mon 23 Nov']);
  const shares = [formatShare(300, 300), formatShare(19, 46), formatShare(1, 2000)];
  expect(shares).toEqual(['100%', '41%', '<1%']);
  expect([formatShare(0, 46), formatShare(0, 0)]).toEqual(['0%', '']);
  const zones = ['Asia/Kolkata', 'UTC', ''].map(timeZoneName);
  expect(zones).toEqual(['India Standard Time', 'UTC', 'UTC']);
});
