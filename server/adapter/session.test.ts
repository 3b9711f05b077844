import type { FastifyRequest } from 'fastify';
import { beforeEach, expect, test } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { rawSql, sql } from '#server/adapter/database/sql.ts';
import type { ApiError } from '#server/error.ts';
import { hashToken } from '#server/token.ts';
import { CLOCK_START, fixedClock, useTestApp } from '#tests/support/app.ts';

import { deviceName, Sessions, sessionExpiry } from './session.ts';

const USED_AT = CLOCK_START - HOUR_MS;
const ENDS_AT = CLOCK_START + MINUTE_MS;
/** The idle limit according to a clock that is a minute ahead. */
const LATEST_END = CLOCK_START + 30 * DAY_MS + MINUTE_MS;
const tokenHash = hashToken('x'.repeat(43));

const { database } = useTestApp();
let clock: ReturnType<typeof fixedClock>;
let sessions: Sessions;
beforeEach(async () => {
  clock = fixedClock();
  sessions = new Sessions({ database, clock, sessionDays: 30 });
  await database.run(
    "INSERT INTO users (id, login_phone, created_at, updated_at) VALUES ('u', '+91', 0, 0)",
  );
  await database.run(sql`INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
    VALUES (${tokenHash}, 'u', ${CLOCK_START - DAY_MS}, ${USED_AT}, ${ENDS_AT})`);
});

const headers = { authorization: 'x'.repeat(43) };
const rawHeaders = Object.entries(headers).flat();
const request = { headers, raw: { rawHeaders } } as unknown as FastifyRequest;

test('session expiry: is the idle limit, or a year after the start', () => {
  const expiries = [0, 335, 336, 364].map((days) => sessionExpiry(0, days * DAY_MS, 30) / DAY_MS);
  expect(expiries).toEqual([30, 365, 365, 365]);
});

const times = () => database.all('SELECT used_at, expires_at FROM sessions');

test('session: is extended after more than an hour', async () => {
  await sessions.authenticate(request);
  expect(await times()).toEqual([{ used_at: USED_AT, expires_at: ENDS_AT }]);
  clock.advance(1);
  expect(await sessions.authenticate(request)).toEqual({ userId: 'u', tokenHash });
  const now = clock.now();
  expect(await times()).toEqual([{ used_at: now, expires_at: now + 30 * DAY_MS }]);
});

test.each([
  ['has just ended', 'expires_at', CLOCK_START, false],
  ['ends at the idle limit, by a clock that is a minute ahead', 'expires_at', LATEST_END, true],
  ['ends later than that', 'expires_at', LATEST_END + 1, false],
  ['begins in a minute', 'created_at', CLOCK_START + MINUTE_MS, true],
  ['begins later', 'created_at', CLOCK_START + MINUTE_MS + 1, false],
])('session: one that %s', async (...[, column, time, isValid]) => {
  await database.run(sql`UPDATE sessions SET ${rawSql(column)} = ${time}`);
  const caller = await sessions.authenticate(request).catch(({ code }: ApiError) => code);
  expect(caller).toEqual(isValid ? { userId: 'u', tokenHash } : 'session_invalid');
  expect(await sessions.list('u')).toHaveLength(isValid ? 1 : 0);
});

const CHROME =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36';
const SAFARI =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';

test.each([
  [CHROME, 'Chrome on Android'],
  [SAFARI, 'Safari on iOS'],
  ['curl/8.5', ''],
  [undefined, ''],
  ['\u202e<script>', ''],
  // A very long header is not parsed.
  [`${CHROME} ${'x'.repeat(10_000)}`, ''],
])('device name: of %j is %j', (agent, name) => {
  expect(deviceName(agent)).toBe(name);
});
