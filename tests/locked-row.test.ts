import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';
import { expect, inject, test } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { openPostgres } from '#server/db/postgres.ts';
import { saveTokenStatement } from '#server/otp/embedded/store.ts';
import { newToken } from '#server/token.ts';

import { buildTestApp, signInByApi } from './support/app.ts';
import type { TestApp } from './support/app.ts';
import { openTestPostgres } from './support/database.ts';
import { silentLog } from './support/log.ts';

const POOL_SIZE = 10;
/** As many sessions of one owner as the pool has connections, each with several callers. */
const SESSIONS = POOL_SIZE;
const CALLERS = 30;
/** Of one owner. */
const WAITING_BACKENDS_MAX = 1;
const LOCKED_MS = 5 * SECOND_MS;
const ANSWER_MS_MAX = 2 * SECOND_MS;
const UNAVAILABLE = 503;
const PHONE = '+919876543210';

/** A connection of another application, which locks the row of a user. */
async function connectOther(url: string) {
  const client = new Client({ connectionString: url, application_name: 'other' });
  await client.connect();
  return client;
}

async function signIn({ app, clock, dependencies: { database } }: TestApp) {
  const token = newToken();
  await database.batch([saveTokenStatement({ token, phone: PHONE, now: clock.now() })]);
  const headers = { authorization: token };
  const response = await app.inject({ url: '/api/user/authenticate/phone', headers });
  return response.json<{ _id: string; sessionToken: string }>();
}

test.skipIf(inject('postgresUrl') === '')(
  'locked row: the saves of ten sessions of its owner use one connection, and other users and strangers are answered',
  async () => {
    const { database: administration, url } = await openTestPostgres();
    const database = openPostgres(url, silentLog, { poolSize: POOL_SIZE });
    const testApp = buildTestApp(database);
    const sessions: Awaited<ReturnType<typeof signIn>>[] = [];
    for (let count = 0; count < SESSIONS; count += 1) sessions.push(await signIn(testApp));
    const [locked] = sessions;
    if (!locked) throw new Error('There is no session.');
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

    const callers = Array.from({ length: CALLERS }, async (_, index) => {
      const responses = new Set<string>();
      while (isLocked()) {
        const { statusCode, isInTime } = await save(sessions[index % SESSIONS] ?? locked);
        responses.add(`${statusCode} ${isInTime ? 'in time' : 'late'}`);
        await delay(10);
      }
      return [...responses];
    });
    const stranger = { _id: locked._id, sessionToken: newToken() };
    const backends: number[] = [];
    const waiting: number[] = [];
    const saves: unknown[] = [];
    const rejections: unknown[] = [];
    const observer = (async () => {
      while (isLocked()) {
        const [row] = await administration.all<{ count: number; waiting: number }>(
          `SELECT COUNT(*) AS count, COUNT(*) FILTER (WHERE wait_event_type = 'Lock') AS waiting
           FROM pg_stat_activity
           WHERE datname = current_database() AND application_name = 'tessera'
             AND pid <> pg_backend_pid()`,
        );
        backends.push(row?.count ?? 0);
        waiting.push(row?.waiting ?? 0);
        saves.push(await save(free));
        rejections.push(await save(stranger));
        await delay(200);
      }
    })();
    const responses = await Promise.all(callers);
    await observer;
    await other.query('ROLLBACK');
    await other.end();

    expect(Math.max(...backends)).toBeLessThanOrEqual(POOL_SIZE + 2);
    expect(Math.max(...waiting)).toBeLessThanOrEqual(WAITING_BACKENDS_MAX);
    expect(new Set(responses.flat())).toEqual(new Set([`${UNAVAILABLE} in time`]));
    expect(new Set(saves.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ statusCode: 200, isInTime: true })]),
    );
    expect(new Set(rejections.map((one) => JSON.stringify(one)))).toEqual(
      new Set([JSON.stringify({ statusCode: 403, isInTime: true })]),
    );
    expect(await save(locked)).toMatchObject({ statusCode: 200 });
    await testApp.app.close();
    await database.close();
  },
);
