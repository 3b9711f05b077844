import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';

import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { migrate } from '#server/adapter/database/migrate.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { changeCard } from '#server/adapter/profile/store.ts';
import { silentLog } from '#tests/support/log.ts';
import { LONG_LIMITS, startCluster } from '#tests/support/postgres.ts';

import { createInvalidationListener } from './invalidation.ts';

const CONNECTED = ['lifetime 1000', 'drop all', 'lifetime 60000'];
const WAIT = { timeout: 60_000, interval: 10 };

const addUser = (database: Database, id: string) =>
  database.run(sql`INSERT INTO users (id, login_phone, created_at, updated_at)
    VALUES (${id}, ${id}, 0, 0)`);

describe.skipIf(inject('postgresUrl') === '')('invalidation between nodes', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  let database: Database;
  beforeAll(async () => {
    cluster = await startCluster();
    database = openPostgres(cluster.url, silentLog, LONG_LIMITS);
    await migrate(database);
  });
  afterAll(async () => {
    await database.close();
    cluster.stop();
  });

  const listen = async () => {
    const calls: string[] = [];
    const listener = createInvalidationListener(cluster.url, silentLog);
    onTestFinished(() => listener.close());
    listener.subscribe({
      drop: (userId) => void calls.push(`drop ${userId}`),
      dropAll: () => void calls.push('drop all'),
      setLifetime: (lifetimeMs) => void calls.push(`lifetime ${lifetimeMs}`),
    });
    await vi.waitUntil(() => calls.length === 3, WAIT);
    return { calls, listener };
  };

  const listenerPid = async () => {
    const rows = await database.all<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'tessera invalidation'",
    );
    // The process of a closed connection ends a moment later.
    return rows.length === 1 && rows[0] ? rows[0].pid : 0;
  };

  test('listener: a changed or removed card is dropped, an unchanged one is not', async () => {
    const { calls, listener } = await listen();
    for (const id of ['asha', 'ravi']) await addUser(database, id);
    await database.run("UPDATE users SET name = '' WHERE id = 'ravi'");
    await database.run("UPDATE users SET name = 'Asha' WHERE id = 'asha'");
    const rolledBack = database.transaction(async (tx) => {
      await tx.run("UPDATE users SET name = 'Nobody' WHERE id = 'ravi'");
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await database.run("DELETE FROM users WHERE id = 'ravi'");
    // This change sets nothing but the photo.
    await addUser(database, 'meera');
    const cards = { database, responses: { drop: () => undefined } };
    const values = { profile_photo: '/photos/new.jpg' };
    await changeCard(cards, { userId: 'meera', now: 0, values, condition: sql`1 = 1` });
    await vi.waitUntil(() => calls.includes('drop meera'), WAIT);
    expect(calls).toEqual([...CONNECTED, 'drop asha', 'drop ravi', 'drop meera']);
    await listener.close();
    await expect.poll(listenerPid, WAIT).toBe(0);
  });

  test('listener: a message that is not JSON is logged, and the next one is delivered', async () => {
    const { calls, listener } = await listen();
    listener.on('tessera_live', async (payload) => void calls.push(JSON.parse(payload) as string));
    for (const payload of ['{', '', '"heard"'])
      await database.run(sql`SELECT pg_notify('tessera_live', ${payload})`);
    await vi.waitUntil(() => calls.length === 4, WAIT);
    expect(calls).toEqual([...CONNECTED, 'heard']);
  });

  test.each(['SIGTERM', 'SIGSTOP'])('listener: after a %s it drops all cards', async (signal) => {
    const { calls } = await listen();
    const pid = await vi.waitUntil(listenerPid, WAIT);
    if (signal === 'SIGSTOP') onTestFinished(() => void process.kill(pid, 'SIGCONT'));
    process.kill(pid, signal);
    await vi.waitUntil(() => calls.length === 6, WAIT);
    expect(calls).toEqual([...CONNECTED, ...CONNECTED]);
  });
});
