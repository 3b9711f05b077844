import { expect, test } from 'vitest';

import { allFailures, failureDelay, formatWait, resendAfterMs } from './limits.ts';

test('resend pause: 30 seconds after the first code, then 60', () => {
  expect([1, 2, 3, 4].map(resendAfterMs)).toEqual([30_000, 60_000, 60_000, 60_000]);
});

test('wait: is formatted in the unit that a person uses', () => {
  expect([1, 30, 120, 121, 3600, 7200, 7201, 86_400].map(formatWait)).toEqual([
    '1 second',
    '30 seconds',
    '120 seconds',
    '3 minutes',
    '60 minutes',
    '120 minutes',
    '3 hours',
    '24 hours',
  ]);
});

test('failure alarm: a tenth of the codes in a day, at least ten', () => {
  expect([1, 100, 10_000].map((sends) => allFailures(sends).max)).toEqual([10, 10, 1000]);
});

test('failure delay: 30 seconds for the first void challenge, one hour at most', () => {
  const delays = [0, 5, 10, 15, 30, 35, 40, 95].map((n) => failureDelay('+91', n).windowMs / 1000);
  expect(delays).toEqual([30, 30, 60, 120, 960, 1920, 3600, 3600]);
});
