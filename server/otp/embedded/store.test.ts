import { createHmac } from 'node:crypto';

import { expect, test } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { CLOCK_START } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';

import {
  codeHmac,
  findChallenge,
  findExchangeToken,
  isSameHmac,
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

/** The first and last times at which something that began at CLOCK_START is valid, and those around. */
function timesAround(lifeMs: number): number[] {
  const first = CLOCK_START - MINUTE_MS;
  const last = CLOCK_START + lifeMs - 1;
  return [first - 1, first, last, last + 1];
}

test('challenge, exchange token: valid for 5 minutes, and on a node whose clock is a minute behind', async () => {
  const { database } = await openTestSqlite();
  await database.batch([
    saveChallengeStatement({ ...CHALLENGE, hmac: HMAC, now: CLOCK_START }),
    saveTokenStatement({ token: 't', phone: '+91', now: CLOCK_START }),
  ]);
  const found = [];
  for (const now of timesAround(5 * MINUTE_MS))
    found.push([
      await findChallenge(database, CHALLENGE.id, now),
      await findExchangeToken(database, 't', now),
    ]);
  const valid = [{ phone: CHALLENGE.phone, hmac: HMAC }, '+91'];
  expect(found).toEqual([[null, null], valid, valid, [null, null]]);
});
