import { expect, test } from 'vitest';

import { DAY_MS, HOUR_MS } from '#domain/duration.ts';

import {
  ATTEMPTS_MAX,
  CODE_LIFE_MS,
  EXCHANGE_TOKEN_LIFE_MS,
  addressFailures,
  addressSends,
  allFailures,
  allSends,
  clientFailures,
  failureDelay,
  failureLimitReached,
  formatWait,
  longestFailureDelay,
  pairSends,
  phoneFailurePatterns,
  phoneLocked,
  phoneSendPatterns,
  phoneSends,
  resendAfterMs,
  sendLimitReached,
  sendPause,
} from './limits.ts';

const PHONE = '+919876543210';
const ADDRESS = { prefix64: '2001:db8:0:1::/64', prefix48: '2001:db8::/48' };
const STRANGER = { phone: PHONE, address: ADDRESS, deviceId: null };
const OWNER = { ...STRANGER, deviceId: 'd1' };

test('code: is valid for five minutes or five attempts, and its token for five minutes', () => {
  expect([CODE_LIFE_MS, ATTEMPTS_MAX, EXCHANGE_TOKEN_LIFE_MS]).toEqual([300_000, 5, 300_000]);
});

test('resend pause: 30 seconds after the first code, then 60', () => {
  expect([1, 2, 3, 4].map(resendAfterMs)).toEqual([30_000, 60_000, 60_000, 60_000]);
});

test('formatWait: uses seconds up to 120, then minutes up to 120, then hours', () => {
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

test('failure alarm: is a tenth of the daily codes, at least 10', () => {
  expect([1, 100, 10_000].map((sends) => allFailures(sends).max)).toEqual([10, 10, 1000]);
});

test('failure delay: is 30 s after the first void challenge, at most one hour', () => {
  const delays = [0, 5, 10, 15, 30, 35, 40, 95].map((n) => failureDelay('+91', n).windowMs / 1000);
  expect(delays).toEqual([30, 30, 60, 120, 960, 1920, 3600, 3600]);
});

test('address limits: a /64 has a third of the limit of its /48; IPv4 has no /48', () => {
  expect([...addressSends(ADDRESS, 100), ...addressFailures(ADDRESS)]).toEqual([
    { key: 'otp:send:address:2001:db8:0:1::/64', max: 100, windowMs: HOUR_MS },
    { key: 'otp:send:site:2001:db8::/48', max: 300, windowMs: HOUR_MS },
    { key: 'otp:fail:address:2001:db8:0:1::/64', max: 300, windowMs: HOUR_MS },
    { key: 'otp:fail:site:2001:db8::/48', max: 900, windowMs: HOUR_MS },
  ]);
  const address = { prefix64: '203.0.113.7', prefix48: null };
  expect([...addressSends(address, 100), ...addressFailures(address)]).toEqual([
    { key: 'otp:send:address:203.0.113.7', max: 100, windowMs: HOUR_MS },
    { key: 'otp:fail:address:203.0.113.7', max: 300, windowMs: HOUR_MS },
  ]);
});

test('limits of a phone: a known device has its own, and strangers share those of the phone', () => {
  const limitsOf = (client: typeof STRANGER | typeof OWNER) => [
    ...pairSends(client),
    phoneSends(client).hour,
    phoneSends(client).day,
    sendPause(client, 30_000),
    ...clientFailures(client),
  ];
  const pair = `${ADDRESS.prefix64}:${PHONE}`;
  expect(limitsOf(STRANGER)).toEqual([
    { key: `otp:send:pair-hour:${pair}`, max: 3, windowMs: HOUR_MS },
    { key: `otp:send:pair-day:${pair}`, max: 6, windowMs: DAY_MS },
    { key: `otp:send:hour:${PHONE}`, max: 5, windowMs: HOUR_MS },
    { key: `otp:send:day:${PHONE}`, max: 10, windowMs: DAY_MS },
    { key: `otp:send:pause:${PHONE}`, max: 1, windowMs: 30_000 },
    { key: `otp:fail:pair:${pair}`, max: 20, windowMs: DAY_MS },
    { key: `otp:fail:day:${PHONE}`, max: 100, windowMs: DAY_MS },
  ]);
  expect(limitsOf(OWNER)).toEqual([
    { key: 'otp:send:hour:device:d1', max: 5, windowMs: HOUR_MS },
    { key: 'otp:send:day:device:d1', max: 10, windowMs: DAY_MS },
    { key: 'otp:send:pause:device:d1', max: 1, windowMs: 30_000 },
    { key: 'otp:fail:device:d1', max: 20, windowMs: DAY_MS },
  ]);
});

test('patterns of a phone: are the keys of its own limits and of all its pairs', () => {
  expect([...phoneSendPatterns(PHONE), ...phoneFailurePatterns(PHONE)]).toEqual([
    `otp:send:pair-hour:%:${PHONE}`,
    `otp:send:pair-day:%:${PHONE}`,
    `otp:send:hour:${PHONE}`,
    `otp:send:day:${PHONE}`,
    `otp:send:pause:${PHONE}`,
    `otp:fail:pair:%:${PHONE}`,
    `otp:fail:day:${PHONE}`,
    `otp:fail:delay:${PHONE}`,
  ]);
});

test('limits of all phones: codes in a day, and an alarm for an hour', () => {
  const known = { phone: PHONE, address: { prefix64: '', prefix48: null }, deviceId: 'known' };
  const unknown = { ...known, deviceId: null };
  expect([
    allSends(unknown, 2000),
    allSends(known, 2000),
    allFailures(2000),
    longestFailureDelay(PHONE),
  ]).toEqual([
    { key: 'otp:send:all', max: 2000, windowMs: DAY_MS },
    { key: 'otp:send:devices', max: 2000, windowMs: DAY_MS },
    { key: 'otp:fail:all', max: 200, windowMs: HOUR_MS },
    { key: `otp:fail:delay:${PHONE}`, max: 1, windowMs: HOUR_MS },
  ]);
  expect(failureDelay(PHONE, 0).key).toBe(longestFailureDelay(PHONE).key);
});

test('limit errors: have a sentence and Retry-After, both rounded up', () => {
  const errors = [sendLimitReached, failureLimitReached, phoneLocked].map((toError) => {
    const { code, message, retryAfterSeconds } = toError(29_001);
    return { code, message, retryAfterSeconds };
  });
  const rest = { code: 'too_many_requests', retryAfterSeconds: 30 };
  expect(errors).toEqual([
    { ...rest, message: 'Too many codes were asked for. Try again in 30 seconds.' },
    { ...rest, message: 'Codes cannot be checked right now. Try again in 30 seconds.' },
    {
      ...rest,
      message: 'This number is locked after too many wrong codes. Try again in 30 seconds.',
    },
  ]);
});
