import { EventEmitter, once } from 'node:events';

import { describe, expect, inject, test } from 'vitest';

import { openPostgres } from '#server/adapter/database/postgres.ts';

import { useOwner, useTestApp } from './support/app.ts';
import { READY, openDatabaseProxy } from './support/database-proxy.ts';
import { openTestPostgres } from './support/database.ts';
import { silentLog } from './support/log.ts';

const POOL_SIZE = 2;
let proxy: Awaited<ReturnType<typeof openDatabaseProxy>>;

async function openCounted() {
  const opened = await openTestPostgres();
  proxy = await openDatabaseProxy(opened.url);
  const database = openPostgres(proxy.url, silentLog, { poolSize: POOL_SIZE });
  return { ...opened, database };
}

describe.skipIf(inject('postgresUrl') === '')('round trips to PostgreSQL', () => {
  const { database, testApp } = useTestApp(openCounted);
  const owner = useOwner(testApp);
  const save = (payload: object = { name: 'Asha' }, headers = {}) =>
    owner.post('user/updateUser', payload, { headers });
  const count = async (call: () => ReturnType<typeof save>) => {
    const before = proxy.transcript().length;
    const { statusCode } = await call();
    return [statusCode, proxy.transcript().slice(before).split(READY).length - 1];
  };

  test('round trips: a save is one for the session and one for the row, and get user is one', async () => {
    expect(await count(() => save())).toEqual([200, 2]);
    expect(await count(() => save({}, { 'if-match': '"1"' }))).toEqual([412, 2]);
    expect(await count(() => save({ name: 5 }))).toEqual([400, 1]);
    expect(await count(() => save({}, { authorization: 'x'.repeat(43) }))).toEqual([403, 1]);
    expect(await count(() => save({}, { authorization: 'null' }))).toEqual([403, 0]);
    expect(await count(owner.card)).toEqual([200, 1]);
  });

  test('exhausted pool: saves are 503 with Retry-After while no connection is free', async () => {
    const hold = new EventEmitter();
    const released = once(hold, 'release');
    const busy = Array.from({ length: POOL_SIZE }, () =>
      database.transaction(async (tx) => {
        await tx.one('SELECT 1');
        await released;
      }),
    );
    const answers = await Promise.all(Array.from({ length: 20 }, () => save()));
    hold.emit('release');
    const error = { error: 'unavailable', message: expect.any(String) as string };
    for (const { statusCode, headers, body } of answers)
      expect([statusCode, headers['retry-after'], JSON.parse(body)]).toEqual([503, '2', error]);
    await Promise.allSettled(busy);
    expect((await save()).statusCode).toBe(200);
  });
});
