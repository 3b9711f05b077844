import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';
import { expect } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { newToken } from '#server/token.ts';

import { buildTestApp, saveByApi, signInByToken } from './support/app.ts';
import { openTestPostgres, testOnPostgres } from './support/database.ts';
import { closeAtEnd } from './support/folder.ts';
import { silentLog } from './support/log.ts';

/** One owner has as many sessions as the pool has connections, each with several callers. */
const POOL_SIZE = 10;
const CALLERS = 30;
const LOCKED_MS = 5 * SECOND_MS;
/** Before the end of the lock. */
const ANSWER_MS_MAX = 4 * SECOND_MS;

testOnPostgres('locked row: its owner uses one connection, others are answered', async () => {
  const { database: administration, url } = await openTestPostgres();
  const database = openPostgres(url, silentLog, { poolSize: POOL_SIZE });
  closeAtEnd(() => database.close());
  const testApp = buildTestApp(database);
  const locked = await signInByToken(testApp);
  const sessions = [locked];
  while (sessions.length < POOL_SIZE) sessions.push(await signInByToken(testApp));
  const free = await signInByToken(testApp, '+919876543211');
  const save = async (owner: typeof free) => {
    const startedAt = performance.now();
    const { statusCode } = await saveByApi(testApp, owner, { name: `At ${startedAt}` });
    return `${statusCode} ${performance.now() - startedAt < ANSWER_MS_MAX ? 'in time' : 'late'}`;
  };

  // Another application, which locks the row of a user.
  const other = new Client({ connectionString: url, application_name: 'other' });
  await other.connect();
  await other.query('BEGIN');
  await other.query('SELECT * FROM users WHERE id = $1 FOR UPDATE', [locked._id]);
  const end = performance.now() + LOCKED_MS;
  const isLocked = () => performance.now() < end;

  const answers = {
    own: new Set<string>(),
    free: new Set<string>(),
    stranger: new Set<string>(),
  };
  const callers = Array.from({ length: CALLERS }, async (_, index) => {
    while (isLocked()) {
      answers.own.add(await save(sessions[index % POOL_SIZE] ?? locked));
      await delay(10);
    }
  });
  // Calls of its owner wait; other owners and strangers wait for nothing.
  let waiting = 0;
  while (isLocked()) {
    const [row] = await administration.all<{ count: number }>(
      `SELECT COUNT(*) AS count FROM pg_stat_activity
         WHERE datname = current_database() AND application_name = 'tessera'
           AND wait_event_type = 'Lock'`,
    );
    waiting = Math.max(waiting, row?.count ?? 0);
    answers.free.add(await save(free));
    answers.stranger.add(await save({ _id: locked._id, sessionToken: newToken() }));
    await delay(200);
  }
  await Promise.all(callers);
  await other.query('ROLLBACK');
  await other.end();

  expect(waiting).toBeLessThanOrEqual(1);
  expect(Object.values(answers).map((one) => [...one].join())).toEqual([
    '503 in time',
    '200 in time',
    '403 in time',
  ]);
  expect(await save(locked)).toBe('200 in time');
});
