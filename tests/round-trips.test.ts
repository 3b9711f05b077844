import { EventEmitter, once } from 'node:events';

import { afterEach, beforeEach, describe, expect, inject, test } from 'vitest';

import { openPostgres } from '#server/db/postgres.ts';
import type { Database } from '#server/db/database.ts';

import { buildTestApp, signInByApi } from './support/app.ts';
import { openTestPostgres } from './support/database.ts';
import { silentLog } from './support/log.ts';
import { openPostgresTap } from './support/postgres-tap.ts';

const POOL_SIZE = 2;

describe.skipIf(inject('postgresUrl') === '')('round trips to PostgreSQL', () => {
  let opened: Awaited<ReturnType<typeof openTestPostgres>>;
  let tap: Awaited<ReturnType<typeof openPostgresTap>>;
  let database: Database;
  let testApp: ReturnType<typeof buildTestApp>;
  let owner: { _id: string; sessionToken: string };

  beforeEach(async () => {
    opened = await openTestPostgres();
    tap = await openPostgresTap(opened.url);
    database = openPostgres(tap.url, silentLog, { poolSize: POOL_SIZE });
    testApp = buildTestApp(database);
    owner = await signInByApi(testApp);
  });
  afterEach(async () => {
    await testApp.app.close();
    await database.close();
    tap.close();
  });

  const save = (payload: unknown, headers: Record<string, string> = {}) =>
    testApp.app.inject({
      method: 'POST',
      url: `/api/user/updateUser/${owner._id}`,
      headers: {
        authorization: owner.sessionToken,
        'content-type': 'application/json',
        ...headers,
      },
      payload: JSON.stringify(payload),
    });
  const countSave = async (payload: unknown, headers: Record<string, string> = {}) => {
    let status = 0;
    const roundTrips = await tap.count(async () => {
      status = (await save(payload, headers)).statusCode;
    });
    return { status, roundTrips };
  };

  test('save: is two round trips, one for the session and one for the row', async () => {
    expect(await countSave({ name: 'Asha' })).toEqual({ status: 200, roundTrips: 2 });
    expect(await countSave({}, { 'if-match': '"1"' })).toEqual({ status: 412, roundTrips: 2 });
    expect(await countSave({ name: 5 })).toEqual({ status: 400, roundTrips: 1 });
    const stranger = { authorization: 'x'.repeat(43) };
    expect(await countSave({}, stranger)).toEqual({ status: 403, roundTrips: 1 });
    expect(await countSave({}, { authorization: 'null' })).toEqual({ status: 403, roundTrips: 0 });
  });

  test('get user: is one round trip', async () => {
    const url = `/api/user/${owner._id}`;
    expect(await tap.count(() => testApp.app.inject({ url }))).toBe(1);
  });

  test('exhausted pool: saves are 503 with Retry-After while no connection is free', async () => {
    await save({});
    const hold = new EventEmitter();
    const released = once(hold, 'release');
    const busy = Array.from({ length: POOL_SIZE }, () =>
      database.transaction(async (tx) => {
        await tx.one('SELECT 1');
        await released;
      }),
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => save({ name: 'Asha' })));
    hold.emit('release');
    for (const answer of answers) {
      expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([
        503,
        '2',
        { error: 'unavailable', message: expect.any(String) },
      ]);
    }
    await Promise.allSettled(busy);
    expect((await save({ name: 'Asha' })).statusCode).toBe(200);
  });
});
