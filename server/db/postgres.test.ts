import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { silentLog } from '#tests/support/log.ts';
import { startCluster } from '#tests/support/postgres.ts';

import type { Database } from './database.ts';
import { sql } from './sql.ts';
import { openPostgres } from './postgres.ts';

const NOT_SAVED = { name: 'Unavailable' };
const unavailable = { status: 'rejected', reason: expect.objectContaining(NOT_SAVED) };
// Long, so that only the database's timeout can end the statement.
const SLOW_SECONDS = 15;

/** Returns a proxy to the database that can stop forwarding, like a broken network. */
async function openProxy(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let hasResponses = true;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    const pairs = [
      [near, far, () => !isSilent],
      [far, near, () => !isSilent && hasResponses],
    ] as const;
    for (const [from, to, forwards] of pairs) {
      sockets.add(from);
      from.on('data', (bytes) => void (forwards() && to.write(bytes)));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const near = new URL(url);
  near.port = String(typeof address === 'object' && address ? address.port : 0);
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    url: near.href,
    silence: (silent: boolean) => (isSilent = silent),
    dropResponses: () => (hasResponses = false),
    cut,
    close: () => {
      cut();
      server.close();
    },
  };
}

describe.skipIf(inject('postgresUrl') === '')('PostgreSQL', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  test('stopped PostgreSQL: calls are unavailable, and work again after its restart', async () => {
    const database = openPostgres(cluster.url, silentLog);
    await database.script('CREATE TABLE notes (word TEXT NOT NULL)');
    // One connection between two statements, one in a statement, several idle.
    await Promise.all(Array.from({ length: 4 }, () => database.one('SELECT pg_sleep(0.05)')));
    const inTransaction = database.transaction(async (tx) => {
      await tx.run("INSERT INTO notes VALUES ('lost')");
      cluster.halt();
      await new Promise((resolve) => setTimeout(resolve, 50));
      await tx.run("INSERT INTO notes VALUES ('lost too')");
    });
    const inStatement = database.one('SELECT pg_sleep(1)');
    expect(await Promise.allSettled([inTransaction, inStatement])).toEqual([
      unavailable,
      unavailable,
    ]);
    await expect(database.one('SELECT 1 AS one')).rejects.toMatchObject(NOT_SAVED);
    await expect(database.transaction(async () => 'never')).rejects.toMatchObject(NOT_SAVED);
    cluster.resume();
    await database.run("INSERT INTO notes VALUES ('saved')");
    expect(await database.all('SELECT word FROM notes')).toEqual([{ word: 'saved' }]);
    await database.close();
  });

  test('hung PostgreSQL: calls are unavailable after the timeout, and work again later', async () => {
    const proxy = await openProxy(cluster.url);
    const database = openPostgres(proxy.url, silentLog);
    await database.one('SELECT 1 AS one');
    proxy.silence(true);
    const calls = [
      database.one('SELECT 1 AS one'),
      database.one('SELECT 1 AS one'),
      database.transaction((tx) => tx.one('SELECT 1 AS one')),
    ];
    const results = await Promise.allSettled(calls);
    expect(results).toEqual(calls.map(() => unavailable));
    proxy.silence(false);
    proxy.cut();
    expect(await database.one('SELECT 1 AS one')).toEqual({ one: 1 });
    await database.close();
    proxy.close();
  });

  test('lost connection: a commit without its confirmation is unknown, an earlier statement is not saved', async () => {
    const database = openPostgres(cluster.url, silentLog);
    await database.script('CREATE TABLE confirmed (word TEXT NOT NULL)');
    const insert = "INSERT INTO confirmed VALUES ('stored')";
    const isUnknown = { ...NOT_SAVED, message: expect.stringContaining('not known') };
    const isNotSaved = { ...NOT_SAVED, message: expect.stringContaining('not saved') };
    const failsAs = async (
      expected: object,
      write: (through: Database, drop: () => void) => Promise<unknown>,
    ) => {
      const proxy = await openProxy(cluster.url);
      const through = openPostgres(proxy.url, silentLog, { timeoutMs: 500 });
      await through.one('SELECT 1 AS one');
      await expect(write(through, proxy.dropResponses)).rejects.toMatchObject(expected);
      await through.close();
      proxy.close();
    };
    await failsAs(isUnknown, async (through, drop) => (drop(), through.run(insert)));
    await failsAs(isUnknown, (through, drop) =>
      through.transaction(async (tx) => (await tx.run(insert), drop())),
    );
    await failsAs(isNotSaved, (through, drop) =>
      through.transaction(async (tx) => (drop(), tx.run(insert))),
    );
    expect(await database.one('SELECT COUNT(*) AS count FROM confirmed')).toEqual({ count: 2 });
    await database.close();
  });

  test('slow statement or transaction: is aborted and rolled back', async () => {
    const database = openPostgres(cluster.url, silentLog, { timeoutMs: 300 });
    await database.script('CREATE TABLE slow (word TEXT NOT NULL)');
    const statement = database.one(sql`SELECT pg_sleep(${SLOW_SECONDS})`);
    await expect(statement).rejects.toMatchObject(NOT_SAVED);
    const transaction = database.transaction(async (tx) => {
      await tx.run("INSERT INTO slow VALUES ('lost')");
      await tx.one(sql`SELECT pg_sleep(${SLOW_SECONDS})`);
    });
    await expect(transaction).rejects.toMatchObject(NOT_SAVED);
    expect(await database.all('SELECT word FROM slow')).toEqual([]);
    await database.close();
  });

  test('timeout: the server ends a statement, also one that waits for a lock', async () => {
    const database = openPostgres(cluster.url, silentLog, { timeoutMs: 300, poolSize: 2 });
    const service = openPostgres(cluster.url, silentLog);
    await service.script("CREATE TABLE locked (word TEXT); INSERT INTO locked VALUES ('first')");
    const other = new Client({ connectionString: cluster.url });
    await other.connect();
    await other.query('BEGIN; UPDATE locked SET word = word');
    // Here the pool's timeout expires before the server's limit, which ends the statement then.
    for (let n = 0; n < 6; n += 1) {
      await expect(database.run("UPDATE locked SET word = 'x'")).rejects.toMatchObject(NOT_SAVED);
    }
    const waiting = `SELECT COUNT(*) AS count FROM pg_stat_activity
      WHERE query LIKE 'UPDATE locked SET%' AND state = 'active' AND application_name = 'tessera'`;
    await expect.poll(() => service.one(waiting), { timeout: 5000 }).toEqual({ count: 0 });
    // With the limits of the service the server itself ends them, and the connection is used again.
    const rejected = await Promise.allSettled([
      service.run("UPDATE locked SET word = 'x'"),
      service.one(sql`SELECT pg_sleep(${SLOW_SECONDS})`),
    ]);
    const codes = rejected.map((result) =>
      result.status === 'rejected' ? [result.reason.name, result.reason.cause.code] : result.status,
    );
    expect(codes).toEqual([
      ['Unavailable', '55P03'],
      ['Unavailable', '57014'],
    ]);
    await other.end();
    await database.close();
    await service.close();
  });

  test.each([
    ['cancelled', 'pg_cancel_backend', '57014'],
    ['terminated', 'pg_terminate_backend', '57P01'],
  ])('statement: one that is %s by an operator is unavailable', async (_ending, end, code) => {
    const database = openPostgres(cluster.url, silentLog);
    const statement = Promise.allSettled([database.one('SELECT pg_sleep(1.4)')]);
    await vi.waitUntil(() =>
      database.one(
        `SELECT ${end}(pid) FROM pg_stat_activity
         WHERE query LIKE 'SELECT pg_sleep%' AND state = 'active'`,
      ),
    );
    const cause = expect.objectContaining({ code });
    expect(await statement).toEqual([
      { status: 'rejected', reason: expect.objectContaining({ ...NOT_SAVED, cause }) },
    ]);
    await database.close();
  });

  test('connection: one that the server terminated is not used again', async () => {
    const database = openPostgres(cluster.url, silentLog, { poolSize: 1 });
    for (let round = 0; round < 20; round += 1) {
      await expect(
        database.one('SELECT pg_terminate_backend(pg_backend_pid())'),
      ).rejects.toMatchObject(NOT_SAVED);
      expect(await database.one('SELECT 1 AS one')).toEqual({ one: 1 });
    }
    await database.close();
  });

  test('exhausted pool: the next call is unavailable after the timeout', async () => {
    const database = openPostgres(cluster.url, silentLog, { timeoutMs: 10_000 });
    // Longer than the wait for a connection; each statement is below the server's own limit.
    const busy = Array.from({ length: 10 }, () =>
      database.transaction(async (tx) => {
        await tx.one('SELECT pg_sleep(1.2)');
        await tx.one('SELECT pg_sleep(1.2)');
      }),
    );
    await expect(database.one('SELECT 1 AS one')).rejects.toMatchObject(NOT_SAVED);
    await Promise.all(busy);
    expect(await database.one('SELECT 1 AS one')).toEqual({ one: 1 });
    await database.close();
  });
});
