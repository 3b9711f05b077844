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

test('code HMAC: is the HMAC-SHA256 of challenge, phone and code', () => {
  const hmac = createHmac('sha256', SECRET).update('challenge\n+919876543210\n123456');
  expect(HMAC).toBe(hmac.digest('hex'));
  const others = [codeHmac(SECRET, CHALLENGE, '123457'), '', HMAC];
  expect(others.map((other) => isSameHmac(other, HMAC))).toEqual([false, false, true]);
});

test('challenge, exchange token: valid for 5 minutes, and on a node whose clock is a minute behind', async () => {
  const { database } = await openTestSqlite();
  await database.batch([
    saveChallengeStatement({ ...CHALLENGE, hmac: HMAC, now: CLOCK_START }),
    saveTokenStatement({ token: 't', phone: '+91', now: CLOCK_START }),
  ]);
  // The first and last times at which they are valid, and those around.
  const [first, last] = [CLOCK_START - MINUTE_MS, CLOCK_START + 5 * MINUTE_MS - 1];
  const found = [];
  for (const now of [first - 1, first, last, last + 1])
    found.push([
      await findChallenge(database, CHALLENGE.id, now),
      await findExchangeToken(database, 't', now),
    ]);
  const valid = [{ phone: CHALLENGE.phone, hmac: HMAC }, '+91'];
  expect(found).toEqual([[null, null], valid, valid, [null, null]]);
});
