import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { migrate } from '#server/db/migrate.ts';
import { openPostgres } from '#server/db/postgres.ts';
import { silentLog } from '#tests/support/log.ts';
import { startCluster } from '#tests/support/postgres.ts';

import { openNews } from './listen.ts';

const WAIT = { timeout: 10_000, interval: 10 };

/** A reader that writes down what it is told. */
function openReader() {
  const told: string[] = [];
  return {
    told,
    drop: (userId: string) => void told.push(`drop ${userId}`),
    dropAll: () => void told.push('drop all'),
    live: (lifeMs: number) => void told.push(`live ${lifeMs}`),
  };
}

const addUser = (database: Database, id: string) =>
  database.run(
    'INSERT INTO users (id, login_phone, created_at, updated_at) VALUES ($1, $1, 0, 0)',
    [id],
  );

describe.skipIf(inject('postgresUrl') === '')('news between nodes', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  let database: Database;
  beforeAll(async () => {
    cluster = await startCluster();
    database = openPostgres(cluster.url, silentLog);
    await migrate(database, 'postgres');
  });
  afterAll(async () => {
    await database.close();
    cluster.stop();
  });

  /** The process of the database that tells the news. */
  const teller = async () => {
    const row = await database.one<{ pid: number }>(
      "SELECT pid FROM pg_stat_activity WHERE application_name = 'tessera news'",
    );
    return row?.pid ?? 0;
  };

  test('a card that is changed or removed is told, one that stays as it was is not', async () => {
    const reader = openReader();
    const news = openNews(cluster.url, silentLog);
    news.tell(reader);
    await vi.waitUntil(() => reader.told.includes('live 60000'), WAIT);
    await addUser(database, 'asha');
    await addUser(database, 'ravi');
    await database.run("UPDATE users SET name = '' WHERE id = 'ravi'");
    await database.run("UPDATE users SET name = 'Asha' WHERE id = 'asha'");
    const rolledBack = database.transaction(async (inside) => {
      await inside.run("UPDATE users SET name = 'Nobody' WHERE id = 'ravi'");
      throw new Error('no');
    });
    await expect(rolledBack).rejects.toThrow('no');
    await database.run("DELETE FROM users WHERE id = 'ravi'");
    await vi.waitUntil(() => reader.told.includes('drop ravi'), WAIT);
    expect(reader.told).toEqual(['live 1000', 'drop all', 'live 60000', 'drop asha', 'drop ravi']);
    await news.close();
    expect(await teller()).toBe(0);
  });

  test('a lost connection: cards live a second, and all are forgotten once it is back', async () => {
    const reader = openReader();
    const news = openNews(cluster.url, silentLog);
    news.tell(reader);
    await vi.waitUntil(() => reader.told.length === 3, WAIT);
    await database.one('SELECT pg_terminate_backend($1)', [await teller()]);
    await vi.waitUntil(() => reader.told.length === 6, WAIT);
    const heard = ['live 1000', 'drop all', 'live 60000'];
    expect(reader.told).toEqual([...heard, ...heard]);
    await news.close();
  });

  test('a connection that is quietly dead is found out', async () => {
    const reader = openReader();
    const news = openNews(cluster.url, silentLog);
    news.tell(reader);
    await vi.waitUntil(() => reader.told.length === 3, WAIT);
    const frozen = await teller();
    process.kill(frozen, 'SIGSTOP');
    await vi.waitUntil(() => reader.told.length === 6, WAIT);
    process.kill(frozen, 'SIGCONT');
    const heard = ['live 1000', 'drop all', 'live 60000'];
    expect(reader.told).toEqual([...heard, ...heard]);
    await news.close();
  });
});
