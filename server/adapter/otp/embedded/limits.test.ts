import { expect, test } from 'vitest';

import { ANSWER } from '#domain/language/en.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { ApiError } from '#server/error.ts';
import { useTestApp } from '#tests/support/app.ts';
import { onEachDatabase } from '#tests/support/database.ts';

import {
  checkLimits,
  countStatements,
  deletePhoneCountersStatements,
  failureAlarm,
  limitsOf,
  waitText,
} from './limits.ts';
import type { Client } from './limits.ts';

const PHONE = '+919876543210';
const NETWORK = '2001:db8:0:1::/64';
const STRANGER = {
  phone: PHONE,
  address: { prefix64: NETWORK, prefix48: '2001:db8::/48' },
  deviceId: null,
};
const OWNER = { ...STRANGER, deviceId: 'd1' };
const SETTINGS = { otpSendsPerDay: 2000, limits: { codesPerHour: 100 } };

const isOfPhone = (key: string) => key.endsWith(`:${PHONE}`);

const limitsByKey = (client: Client) =>
  (['send', 'fail'] as const)
    .flatMap((kind) => limitsOf(kind, client, SETTINGS))
    .map(({ key, max, windowMs }) => [key, max, windowMs] as const);

test('limits of a stranger: of the network, of the phone from one address, of the phone, of all', () => {
  expect(limitsByKey(STRANGER)).toEqual([
    [`otp:send:address:${NETWORK}`, 100, HOUR_MS],
    ['otp:send:site:2001:db8::/48', 300, HOUR_MS],
    [`otp:send:pair-hour:${NETWORK}:${PHONE}`, 3, HOUR_MS],
    [`otp:send:pair-day:${NETWORK}:${PHONE}`, 6, DAY_MS],
    [`otp:send:hour:${PHONE}`, 5, HOUR_MS],
    [`otp:send:day:${PHONE}`, 10, DAY_MS],
    ['otp:send:all', 2000, DAY_MS],
    [`otp:send:pause:${PHONE}`, 0, MINUTE_MS],
    [`otp:fail:address:${NETWORK}`, 300, HOUR_MS],
    ['otp:fail:site:2001:db8::/48', 900, HOUR_MS],
    [`otp:fail:pair:${NETWORK}:${PHONE}`, 20, DAY_MS],
    [`otp:fail:day:${PHONE}`, 100, DAY_MS],
    [`otp:fail:delay:${PHONE}`, 0, HOUR_MS],
    [`otp:fail:row:${PHONE}`, 2 ** 31 - 1, 365 * DAY_MS],
  ]);
});

test('limits of a known device: those of its IPv4 address, without a /48, and its own instead of those of the phone', () => {
  const address = { prefix64: '203.0.113.7', prefix48: null };
  expect(limitsByKey({ ...OWNER, address })).toEqual([
    ['otp:send:address:203.0.113.7', 100, HOUR_MS],
    ['otp:send:hour:device:d1', 5, HOUR_MS],
    ['otp:send:day:device:d1', 10, DAY_MS],
    ['otp:send:devices', 2000, DAY_MS],
    ['otp:send:pause:device:d1', 0, MINUTE_MS],
    ['otp:fail:address:203.0.113.7', 300, HOUR_MS],
    ['otp:fail:device:d1', 20, DAY_MS],
  ]);
});

test('failure alarm: is a tenth of the daily codes in an hour, at least 10', () => {
  const alarms = [1, 100, 110, 10_000].map((otpSendsPerDay) =>
    failureAlarm({ ...SETTINGS, otpSendsPerDay }),
  );
  expect(alarms.map(({ max }) => max)).toEqual([10, 10, 11, 1000]);
  expect(alarms[0]).toEqual({ key: 'otp:alarm', max: 10, windowMs: HOUR_MS });
});

test('waitText: uses seconds up to 120, then minutes up to 120, then hours', () => {
  const texts = [1, 30, 120, 121, 3600, 7200, 7201, 86_400].map((seconds) =>
    waitText(seconds, ANSWER, 'en').replace(/^Try again in (.*)\.$/, '$1'),
  );
  expect(texts.join(', ')).toBe(
    '1 second, 30 seconds, 120 seconds, 3 minutes, 60 minutes, 120 minutes, 3 hours, 24 hours',
  );
});

onEachDatabase((open) => {
  const { database } = useTestApp(open);
  const setCounter = (key: string, count: number, expiresAt: number) =>
    database.run(sql`INSERT INTO counters (key, count, expires_at)
      VALUES (${key}, ${count}, ${expiresAt})`);

  test('reached limits: have a sentence and Retry-After, rounded up, of the first kind', async () => {
    const limits = (['fail', 'send'] as const).flatMap((kind) =>
      limitsOf(kind, STRANGER, SETTINGS),
    );
    const [hour, day] = [`otp:send:hour:${PHONE}`, `otp:send:day:${PHONE}`];
    const [delay, wrong] = [`otp:fail:delay:${PHONE}`, `otp:fail:day:${PHONE}`];
    const network = `otp:fail:address:${NETWORK}`;
    const locked = 'This number is locked after too many wrong codes.';
    const unable = 'Codes cannot be checked right now.';
    for (const [key, count, waitMs, error, keys] of [
      [hour, 4, HOUR_MS, undefined, []],
      [day, 10, 29_001, ['Too many codes were asked for. Try again in 30 seconds.', 30], [day]],
      [delay, 1, 60_001, [`${locked} Try again in 61 seconds.`, 61], [delay]],
      [wrong, 100, HOUR_MS, [`${locked} Try again in 60 minutes.`, 3600], [wrong, delay]],
      [network, 300, 1, [`${unable} Try again in 1 second.`, 1], [network]],
    ] as const) {
      await setCounter(key, count, waitMs);
      const reached: string[] = [];
      const onReached = (limit: { key: string }) => void reached.push(limit.key);
      const thrown = checkLimits(database, limits, { now: 0, onReached }).catch(
        ({ code, message, retryAfterSeconds }: ApiError) => [code, message, retryAfterSeconds],
      );
      expect(await thrown).toEqual(error && ['too_many_requests', ...error]);
      expect(reached).toEqual(keys);
    }
  });

  /** Counts events, each when the pause of the one before has ended. Returns the pauses in seconds. */
  async function pauses(kind: 'send' | 'fail', events: number) {
    const found: number[] = [];
    let now = 0;
    for (let event = 0; event < events; event += 1) {
      const client = { ...STRANGER, address: { prefix64: `${event}`, prefix48: null } };
      const statements = countStatements(limitsOf(kind, client, SETTINGS), { now });
      const [, , [pause] = []] = await database.batch<{ expires_at: number }>(statements);
      if (!pause) continue;
      found.push((pause.expires_at - now) / 1000);
      now = pause.expires_at;
    }
    return found;
  }

  test('pauses: after each code 30 s, then 60; after each five wrong ones twice as long, to an hour', async () => {
    expect(await pauses('send', 5)).toEqual([30, 60, 60, 60, 60]);
    expect(await pauses('fail', 47)).toEqual([30, 60, 120, 240, 480, 960, 1920, 3600, 3600]);
  });

  test('deleted counters of a phone: those of its own limits and of all its addresses', async () => {
    const elsewhere = { prefix64: '203.0.113.7', prefix48: null };
    const clients = [OWNER, STRANGER, { ...STRANGER, address: elsewhere }];
    const others = clients.map((client) => ({ ...client, phone: '+919876543211' }));
    const keysOf = (kind: 'send' | 'fail') => {
      const limits = [...clients, ...others].flatMap((client) => limitsOf(kind, client, SETTINGS));
      return [...new Set(limits.map(({ key }) => key))].toSorted();
    };
    const keys = [...keysOf('fail'), ...keysOf('send')];
    for (const key of keys) await setCounter(key, 1, 1);
    for (const kind of ['send', 'fail'] as const) {
      const statements = deletePhoneCountersStatements(kind, PHONE);
      const deleted = (await database.batch<{ key: string }>(statements)).flat();
      expect(deleted.map(({ key }) => key).toSorted()).toEqual(keysOf(kind).filter(isOfPhone));
    }
    const rest = await database.all<{ key: string }>('SELECT key FROM counters');
    const left = keys.filter((key) => !isOfPhone(key));
    expect(rest.map(({ key }) => key).toSorted()).toEqual(left);
  });
});
