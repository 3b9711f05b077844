import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';
import { expect, inject, test } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { openPostgres } from '#server/db/postgres.ts';

import { buildTestApp, signInByApi } from './support/app.ts';
import { openTestPostgres } from './support/database.ts';
import { silentLog } from './support/log.ts';

const POOL_SIZE = 10;
const CALLERS = 30;
const LOCKED_MS = 10 * SECOND_MS;
const ANSWER_MS_MAX = 2 * SECOND_MS;
const UNAVAILABLE = 503;

/** A connection of another application, which locks the row of a user. */
async function connectOther(url: string) {
  const client = new Client({ connectionString: url, application_name: 'other' });
  await client.connect();
  return client;
}

test.skipIf(inject('postgresUrl') === '')(
  'locked row: its callers use few connections, and other users can save',
  { timeout: 4 * LOCKED_MS },
  async () => {
    const { database: administration, url, dispose } = await openTestPostgres();
    const database = openPostgres(url, silentLog, { poolSize: POOL_SIZE });
    const testApp = buildTestApp(database);
    const locked = await signInByApi(testApp, '+919876543210');
    const free = await signInByApi(testApp, '+919876543211');
    const save = async ({ _id, sessionToken }: { _id: string; sessionToken: string }) => {
      const startedAt = performance.now();
      const { statusCode } = await testApp.app.inject({
        method: 'POST',
        url: `/api/user/updateUser/${_id}`,
        headers: { authorization: sessionToken },
        payload: { name: `At ${startedAt}` },
      });
      return { statusCode, isInTime: performance.now() - startedAt < ANSWER_MS_MAX };
    };

    const other = await connectOther(url);
    await other.query('BEGIN');
    await other.query('SELECT * FROM users WHERE id = $1 FOR UPDATE', [locked._id]);
    const end = performance.now() + LOCKED_MS;
    const isLocked = () => performance.now() < end;

    const callers = Array.from({ length: CALLERS }, async () => {
      const responses = new Set<string>();
      while (isLocked()) {
        const { statusCode, isInTime } = await save(locked);
        responses.add(`${statusCode} ${isInTime ? 'in time' : 'late'}`);
        await delay(10);
      }
      return [...responses];
    });
    const backends: number[] = [];
    const saves: unknown[] = [];
    const observer = (async () => {
      while (isLocked()) {
        const [row] = await administration.all<{ count: number }>(
          `SELECT COUNT(*) AS count FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'tessera'
             AND pid <> pg_backend_pid()`,
        );
        backends.push(row?.count ?? 0);
        saves.push(await save(free));
        await delay(200);
      }
    })();
    const responses = await Promise.all(callers);
    await observer;
    await other.query('ROLLBACK');
    await other.end();

    expect(Math.max(...backends)).toBeLessThanOrEqual(POOL_SIZE + 2);
    expect(new Set(responses.flat())).toEqual(new Set([`${UNAVAILABLE} in time`]));
    expect(new Set(saves.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ statusCode: 200, isInTime: true })]),
    );
    expect(await save(locked)).toMatchObject({ statusCode: 200 });
    await testApp.app.close();
    await database.close();
    await dispose();
  },
);
