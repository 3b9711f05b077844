import { createHmac } from 'node:crypto';

import { expect, onTestFinished, test } from 'vitest';

import { HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { CLOCK_START } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';

import { longestFailureDelay } from './limits.ts';
import {
  codeHmac,
  consumeExchangeToken,
  delayStatement,
  findChallenge,
  isSameHmac,
  readCounts,
  resetFailuresStatement,
  saveChallengeStatement,
  saveTokenStatement,
} from './store.ts';

const SECRET = 'a secret';
const CHALLENGE = { id: 'challenge', phone: '+919876543210' };
const HMAC = codeHmac(SECRET, CHALLENGE, '123456');

test('code HMAC: HMAC-SHA256 of challenge, phone and code', () => {
  const expected = createHmac('sha256', SECRET)
    .update('challenge\n+919876543210\n123456')
    .digest('hex');
  expect(HMAC).toBe(expected);
});

test('code HMAC: differs for another secret, challenge, phone or code', () => {
  const others = [
    codeHmac('another secret', CHALLENGE, '123456'),
    codeHmac(SECRET, { ...CHALLENGE, id: 'another' }, '123456'),
    codeHmac(SECRET, { ...CHALLENGE, phone: '+919876543211' }, '123456'),
    codeHmac(SECRET, CHALLENGE, '123457'),
    '',
  ];
  expect(others.map((other) => isSameHmac(other, HMAC))).toEqual(others.map(() => false));
  expect(isSameHmac(codeHmac(SECRET, CHALLENGE, '123456'), HMAC)).toBe(true);
});

async function openDatabase() {
  const { database, dispose } = await openTestSqlite();
  onTestFinished(dispose);
  return database;
}

/** The first and last times at which something that began at CLOCK_START is valid, and those around. */
function timesAround(lifeMs: number): number[] {
  const first = CLOCK_START - MINUTE_MS;
  const last = CLOCK_START + lifeMs - 1;
  return [first - 1, first, last, last + 1];
}

test('challenge: is valid for 5 minutes, and on a node whose clock is a minute behind', async () => {
  const database = await openDatabase();
  await database.batch([saveChallengeStatement({ ...CHALLENGE, hmac: HMAC, now: CLOCK_START })]);
  const found = [];
  for (const now of timesAround(5 * MINUTE_MS))
    found.push(await findChallenge(database, CHALLENGE.id, now));
  const row = { phone: CHALLENGE.phone, hmac: HMAC };
  expect(found).toEqual([null, row, row, null]);
});

test('exchange token: is valid once for 5 minutes, and on a node whose clock is a minute behind', async () => {
  const database = await openDatabase();
  const phones = [];
  for (const now of timesAround(5 * MINUTE_MS)) {
    const token = `token ${now}`;
    await database.batch([saveTokenStatement({ token, phone: '+91', now: CLOCK_START })]);
    phones.push(await consumeExchangeToken(database, token, now));
    expect(await consumeExchangeToken(database, token, CLOCK_START)).toBe(
      phones.at(-1) === null ? '+91' : null,
    );
  }
  expect(phones).toEqual([null, '+91', '+91', null]);
});

test('counts: are those of windows that have not ended, and end no later than their length', async () => {
  const database = await openDatabase();
  const windowMs = HOUR_MS;
  await database.run('INSERT INTO counters (key, count, expires_at) VALUES ($1, 7, $2)', [
    'other',
    CLOCK_START + windowMs,
  ]);
  const rateLimits = ['window', 'other'].map((key) => ({ key, max: 1, windowMs }));
  const counts = [];
  for (const now of timesAround(windowMs)) {
    counts.push([...(await readCounts(database, rateLimits, now))]);
  }
  expect(counts).toEqual([
    [],
    [['other', { count: 7, waitMs: HOUR_MS + MINUTE_MS }]],
    [['other', { count: 7, waitMs: 1 }]],
    [],
  ]);
});

test('delay: rolls back until its end, unless it ends later than the longest', async () => {
  const database = await openDatabase();
  const { key, windowMs } = longestFailureDelay('+91');
  await database.run('INSERT INTO counters (key, count, expires_at) VALUES ($1, 1, $2)', [
    key,
    CLOCK_START + windowMs,
  ]);
  const waits = [];
  for (const now of timesAround(windowMs)) {
    let waitMs = 0;
    const toError = (milliseconds: number) => new Error(String((waitMs = milliseconds)));
    await database.batch([delayStatement('+91', now, toError)]).catch(() => undefined);
    waits.push(waitMs);
  }
  expect(waits).toEqual([0, HOUR_MS + MINUTE_MS, 1, 0]);
});

const namesOf = (rows: readonly { key: string }[]) =>
  rows.map(({ key }) => key.replace('otp:fail:', '')).toSorted();

test('reset of failures: deletes the counters of wrong codes for one phone', async () => {
  const database = await openDatabase();
  const ofPhone = ['pair:203.0.113.7:+91', 'pair:2001:db8::/64:+91', 'day:+91', 'delay:+91'];
  const others = ['day:+92', 'pair:203.0.113.7:+92', 'address:203.0.113.7', 'device:d1'];
  for (const name of [...ofPhone, ...others]) {
    await database.run('INSERT INTO counters (key, count, expires_at) VALUES ($1, 1, 1)', [
      `otp:fail:${name}`,
    ]);
  }
  const [deleted = []] = await database.batch<{ key: string }>([resetFailuresStatement('+91')]);
  expect(namesOf(deleted)).toEqual(ofPhone.toSorted());
  expect(namesOf(await database.all('SELECT key FROM counters'))).toEqual(others.toSorted());
});
