import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/duration.ts';
import { CLOCK_START, fixedClock } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { silentLog } from '#tests/support/log.ts';

import { Sessions, sessionExpiry } from './session.ts';

let testDatabase: TestDatabase;
let sessions: Sessions;
beforeEach(async () => {
  testDatabase = await openTestSqlite();
  const { database } = testDatabase;
  sessions = new Sessions({ database, clock: fixedClock(), log: silentLog, sessionDays: 30 });
  await database.run(
    "INSERT INTO users (id, login_phone, created_at, updated_at) VALUES ('u', '+91', 0, 0)",
  );
  await database.run(
    `INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
     VALUES ('hash', 'u', $1, $1, $1)`,
    [CLOCK_START - DAY_MS],
  );
});
afterEach(() => testDatabase.dispose());

const times = (unusedMs: number) => ({
  createdAt: CLOCK_START - DAY_MS,
  usedAt: CLOCK_START - unusedMs,
});

test('session expiry: is the idle limit, or a year after the start', () => {
  expect([0, 335, 336, 364].map((days) => sessionExpiry(0, days * DAY_MS, 30) / DAY_MS)).toEqual([
    30, 365, 365, 365,
  ]);
});

test('session: is extended after more than an hour', async () => {
  const run = vi.spyOn(testDatabase.database, 'run');
  sessions.extendLater('hash', times(HOUR_MS));
  expect(run).not.toHaveBeenCalled();
  sessions.extendLater('hash', times(HOUR_MS + 1));
  await run.mock.results[0]?.value;
  expect(await testDatabase.database.all('SELECT used_at, expires_at FROM sessions')).toEqual([
    { used_at: CLOCK_START, expires_at: CLOCK_START + 30 * DAY_MS },
  ]);
});

test('session: a failed extension is logged, and the call goes on', async () => {
  const error = new Error('the database is down');
  vi.spyOn(testDatabase.database, 'run').mockRejectedValueOnce(error);
  const warn = vi.spyOn(silentLog, 'warn');
  sessions.extendLater('hash', times(2 * HOUR_MS));
  await expect
    .poll(() => warn.mock.calls)
    .toEqual([[{ err: error }, 'a session was not extended']]);
  warn.mockRestore();
});

test('session values: tolerate clocks that differ by a minute', () => {
  const latest = CLOCK_START + MINUTE_MS;
  expect(sessions.values('hash')).toEqual(['hash', CLOCK_START, latest + 30 * DAY_MS, latest]);
});
