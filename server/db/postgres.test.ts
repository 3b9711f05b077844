import { setTimeout as delay } from 'node:timers/promises';
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';

import { silentLog } from '#tests/support/log.ts';
import { listen } from '#tests/support/port.ts';
import { startCluster } from '#tests/support/postgres.ts';

import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';

const NOT_SAVED = { name: 'Unavailable' };
const unavailable = { status: 'rejected', reason: expect.objectContaining(NOT_SAVED) };
// Long, so that only the database's timeout can end the statement.
const SLOW = 'SELECT pg_sleep(15)';
const SELECT_ONE = 'SELECT 1 AS one';

/** Returns a proxy to the database that can stop forwarding, like a broken network. */
async function openProxy(url: string) {
  const { hostname, port } = new URL(url);
  const sockets = new Set<Socket>();
  let isSilent = false;
  let hasResponses = true;
  const server = createServer((near) => {
    const far = connect(Number(port), hostname);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      const forwards = () => !isSilent && (from === near || hasResponses);
      from.on('data', (bytes) => void (forwards() && to.write(bytes)));
      from.on('error', () => to.destroy());
      from.on('close', () => to.destroy());
    }
  });
  const near = Object.assign(new URL(url), { port: new URL(await listen(server)).port });
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  onTestFinished(() => {
    cut();
    server.close();
  });
  return {
    url: near.href,
    silence: (silent: boolean) => (isSilent = silent),
    dropResponses: () => (hasResponses = false),
    cut,
  };
}

describe.skipIf(inject('postgresUrl') === '')('PostgreSQL', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.stop());

  /** A database until the end of the test. */
  function open(options?: Parameters<typeof openPostgres>[2], url = cluster.url): Database {
    const database = openPostgres(url, silentLog, options);
    onTestFinished(() => database.close());
    return database;
  }

  test('stopped PostgreSQL: calls are unavailable, and work again after its restart', async () => {
    const database = open();
    await database.script('CREATE TABLE notes (word TEXT NOT NULL)');
    // One connection between two statements, one in a statement, several idle.
    await Promise.all(Array.from({ length: 4 }, () => database.one('SELECT pg_sleep(0.05)')));
    const inTransaction = database.transaction(async (tx) => {
      await tx.run("INSERT INTO notes VALUES ('lost')");
      cluster.halt();
      await delay(50);
      await tx.run("INSERT INTO notes VALUES ('lost too')");
    });
    const results = await Promise.allSettled([inTransaction, database.one('SELECT pg_sleep(1)')]);
    expect(results).toEqual([unavailable, unavailable]);
    await expect(database.one(SELECT_ONE)).rejects.toMatchObject(NOT_SAVED);
    await expect(database.transaction(async () => 'never')).rejects.toMatchObject(NOT_SAVED);
    cluster.resume();
    await database.run("INSERT INTO notes VALUES ('saved')");
    expect(await database.all('SELECT word FROM notes')).toEqual([{ word: 'saved' }]);
  });

  test('hung PostgreSQL: calls are unavailable after the timeout, and work again later', async () => {
    const proxy = await openProxy(cluster.url);
    const database = open({}, proxy.url);
    await database.one(SELECT_ONE);
    proxy.silence(true);
    const results = await Promise.allSettled([
      database.one(SELECT_ONE),
      database.one(SELECT_ONE),
      database.transaction((tx) => tx.one(SELECT_ONE)),
    ]);
    expect(results).toEqual([unavailable, unavailable, unavailable]);
    proxy.silence(false);
    proxy.cut();
    expect(await database.one(SELECT_ONE)).toEqual({ one: 1 });
  });

  test('lost connection: a commit without its confirmation is unknown, an earlier statement is not saved', async () => {
    const database = open();
    await database.script('CREATE TABLE confirmed (word TEXT NOT NULL)');
    const insert = "INSERT INTO confirmed VALUES ('stored')";
    const errorOf = async (write: (through: Database, drop: () => void) => Promise<unknown>) => {
      const proxy = await openProxy(cluster.url);
      const through = open({ timeoutMs: 500 }, proxy.url);
      await through.one(SELECT_ONE);
      return write(through, proxy.dropResponses).catch(({ name, message }: Error) => [
        name,
        /not known|not saved/.exec(message)?.[0],
      ]);
    };
    expect([
      await errorOf(async (through, drop) => (drop(), through.run(insert))),
      await errorOf((through, drop) =>
        through.transaction(async (tx) => (await tx.run(insert), drop())),
      ),
      await errorOf((through, drop) => through.transaction(async (tx) => (drop(), tx.run(insert)))),
    ]).toEqual([
      ['Unavailable', 'not known'],
      ['Unavailable', 'not known'],
      ['Unavailable', 'not saved'],
    ]);
    expect(await database.one('SELECT COUNT(*) AS count FROM confirmed')).toEqual({ count: 2 });
  });

  test('slow statement or transaction: is aborted and rolled back', async () => {
    const database = open({ timeoutMs: 300 });
    await database.script('CREATE TABLE slow (word TEXT NOT NULL)');
    await expect(database.one(SLOW)).rejects.toMatchObject(NOT_SAVED);
    const transaction = database.transaction(async (tx) => {
      await tx.run("INSERT INTO slow VALUES ('lost')");
      await tx.one(SLOW);
    });
    await expect(transaction).rejects.toMatchObject(NOT_SAVED);
    expect(await database.all('SELECT word FROM slow')).toEqual([]);
  });

  test('timeout: the server ends a statement, also one that waits for a lock', async () => {
    const database = open({ timeoutMs: 300, poolSize: 2 });
    const service = open();
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
    const [locked, slow] = [service.run("UPDATE locked SET word = 'x'"), service.one(SLOW)];
    await Promise.all([
      expect(locked).rejects.toMatchObject({ ...NOT_SAVED, cause: { code: '55P03' } }),
      expect(slow).rejects.toMatchObject({ ...NOT_SAVED, cause: { code: '57014' } }),
    ]);
    await other.end();
  });

  test('connection: one that the server terminated is not used again', async () => {
    const database = open({ poolSize: 1 });
    for (let round = 0; round < 20; round += 1) {
      const ended = database.one('SELECT pg_terminate_backend(pg_backend_pid())');
      await expect(ended).rejects.toMatchObject({ ...NOT_SAVED, cause: { code: '57P01' } });
      expect(await database.one(SELECT_ONE)).toEqual({ one: 1 });
    }
  });
});
