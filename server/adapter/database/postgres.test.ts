import { setTimeout as delay } from 'node:timers/promises';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';

import { makeCertificate } from '#tests/support/certificate.ts';
import { READY, openDatabaseProxy } from '#tests/support/database-proxy.ts';
import { newFolder } from '#tests/support/folder.ts';
import { silentLog } from '#tests/support/log.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { giveToPostgres, startCluster } from '#tests/support/postgres.ts';

import type { Database } from './database.ts';
import { openPostgres } from './postgres.ts';

const NOT_SAVED = { name: 'Unavailable' };
const unavailable = { status: 'rejected', reason: expect.objectContaining(NOT_SAVED) };
const unavailableWith = (what: string) => expect.stringMatching(`^Unavailable: .*${what}`);
// Long, so that only the database's timeout can end the statement.
const SLOW = 'SELECT pg_sleep(15)';
const SELECT_ONE = 'SELECT 1 AS one';
/** ErrorResponse: the server closes the connection. */
const ENDED = 'E\0\0\0\u001aSFATAL\0C57P01\0Mended\0\0';

describe.skipIf(inject('postgresUrl') === '')('PostgreSQL', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  beforeAll(async () => void (cluster = await startCluster()));
  afterAll(() => cluster.stop());

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
    const { url, forwards, cut } = await openDatabaseProxy(cluster.url);
    const database = open({}, url);
    await database.one(SELECT_ONE);
    forwards.requests = false;
    const startedAt = performance.now();
    const calls = Array.from({ length: 40 }, () => database.one(SELECT_ONE));
    const inTransaction = database.transaction((tx) => tx.one(SELECT_ONE));
    const results = await Promise.allSettled([...calls, inTransaction]);
    expect(results).toEqual(results.map(() => unavailable));
    // In time, also those that waited for a connection; the rest is for a busy machine.
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    forwards.requests = true;
    cut();
    expect(await database.one(SELECT_ONE)).toEqual({ one: 1 });
  });

  test('lost connection: a commit without its confirmation is unknown, an earlier statement is not saved', async () => {
    const database = open();
    await database.script('CREATE TABLE confirmed (word TEXT NOT NULL)');
    const insert = "INSERT INTO confirmed VALUES ('stored')";
    const errorOf = async (write: (through: Database, drop: () => void) => Promise<unknown>) => {
      const { url, forwards } = await openDatabaseProxy(cluster.url);
      const through = open({ timeoutMs: 500 }, url);
      await through.one(SELECT_ONE);
      const written = write(through, () => (forwards.responses = false));
      return written.catch((error: Error) => `${error.name}: ${error.message}`);
    };
    expect([
      await errorOf(async (through, drop) => (drop(), through.run(insert))),
      await errorOf((through, drop) =>
        through.transaction(async (tx) => (await tx.run(insert), drop())),
      ),
      await errorOf((through, drop) => through.transaction(async (tx) => (drop(), tx.run(insert)))),
    ]).toEqual(['not known', 'not known', 'not saved'].map(unavailableWith));
    expect(await database.one('SELECT COUNT(*) AS count FROM confirmed')).toEqual({ count: 2 });
  });

  test('timeout: ends a statement or a transaction, also where it waits for a lock, on the server too', async () => {
    const database = open({ timeoutMs: 300, poolSize: 2 });
    const service = open();
    await service.script("CREATE TABLE locked (word TEXT); INSERT INTO locked VALUES ('first')");
    const transaction = database.transaction(async (tx) => {
      await tx.run("INSERT INTO locked VALUES ('lost')");
      await tx.one(SLOW);
    });
    await expect(transaction).rejects.toMatchObject(NOT_SAVED);
    const other = new Client({ connectionString: cluster.url });
    await other.connect();
    await other.query('BEGIN; UPDATE locked SET word = word');
    // Here the pool's timeout expires before the server's limit, which ends the statement then.
    for (let n = 0; n < 6; n += 1) {
      await expect(database.run("UPDATE locked SET word = 'x'")).rejects.toMatchObject(NOT_SAVED);
    }
    const waiting = `SELECT pid FROM pg_stat_activity
      WHERE query LIKE 'UPDATE locked SET%' AND state = 'active' AND application_name = 'tessera'`;
    await waitUntil(async () => (await service.all(waiting)).length === 0);
    // With the limits of the service the server itself ends them, and the connection is used again.
    const [locked, slow] = [service.run("UPDATE locked SET word = 'x'"), service.one(SLOW)];
    await Promise.all([
      expect(locked).rejects.toMatchObject({ ...NOT_SAVED, cause: { code: '55P03' } }),
      expect(slow).rejects.toMatchObject({ ...NOT_SAVED, cause: { code: '57014' } }),
    ]);
    await other.end();
    expect(await service.all('SELECT word FROM locked')).toEqual([{ word: 'first' }]);
  });

  test('command: the limits of the role do not apply, also if a pooler forgets what was set before', async () => {
    const limits = { statement_timeout: 100, idle_in_transaction_session_timeout: 100 };
    const setAll = (value: (name: string) => string) =>
      Object.keys(limits)
        .map((name) => `ALTER ROLE tessera ${value(name)}`)
        .join(';');
    const administrator = open({ hasServerLimits: false });
    await administrator.script(setAll((name) => `SET ${name} = 100`));
    onTestFinished(() => administrator.script(setAll((name) => `RESET ${name}`)));
    const database = open({ hasServerLimits: false, poolSize: 1, timeoutMs: 60_000 });
    const slow = 'SELECT 1 AS one FROM pg_sleep(0.3)';
    await database.script('RESET ALL');
    const found = [[{ one: 1 }]];
    expect([await database.all(slow)]).toEqual(found);
    expect(await database.batch([{ sql: slow }])).toEqual(found);
    const inTransaction = database.transaction(async (transaction) => {
      await delay(300);
      return transaction.all(slow);
    });
    expect([await inTransaction]).toEqual(found);
    // Control: such a limit does end a statement.
    const limited = open({ poolSize: 1 });
    await limited.script('RESET ALL');
    await expect(limited.all(slow)).rejects.toMatchObject(NOT_SAVED);
  });

  test('connection: one that PostgreSQL ended is not used again', async () => {
    const database = open({ poolSize: 1 });
    for (let round = 0; round < 20; round += 1) {
      const ended = database.one('SELECT pg_terminate_backend(pg_backend_pid())');
      await expect(ended).rejects.toMatchObject({ ...NOT_SAVED, cause: { code: '57P01' } });
      expect(await database.one(SELECT_ONE)).toEqual({ one: 1 });
    }
    const hung = database.transaction(async (tx) => {
      await tx.run('SET LOCAL idle_in_transaction_session_timeout = 50');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);
      await tx.one(SELECT_ONE);
    });
    await expect(hung).rejects.toMatchObject(NOT_SAVED);
    expect(await database.one(SELECT_ONE)).toEqual({ one: 1 });
  });

  test('new connection: gets its limits alone, for PgBouncer; one that ends with its first answer is unavailable', async () => {
    const { url, transcript } = await openDatabaseProxy(cluster.url);
    await open({}, url).one(SELECT_ONE);
    expect(transcript()).toMatch(new RegExp(`lock_timeout.*${READY}.*${SELECT_ONE}`, 's'));
    const ended = await openDatabaseProxy(cluster.url, ENDED);
    await expect(open({}, ended.url).one(SELECT_ONE)).rejects.toMatchObject(NOT_SAVED);
  });

  test('TLS: verify-full accepts only the named authority, no-verify any, and without sslmode there is none', async () => {
    const folder = newFolder();
    const { certificate, key } = makeCertificate(folder);
    for (const path of [folder, key, certificate]) giveToPostgres(path);
    const database = open();
    await database.run(`ALTER SYSTEM SET ssl_cert_file = '${certificate}'`);
    await database.run(`ALTER SYSTEM SET ssl_key_file = '${key}'`);
    await database.run('ALTER SYSTEM SET ssl = on');
    cluster.halt();
    cluster.resume();
    const isEncrypted = async (query: string) => {
      const of = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      return (await open({}, `${cluster.url}${query}`).one<{ ssl: boolean }>(of))?.ssl;
    };
    expect(await isEncrypted(`?sslmode=verify-full&sslrootcert=${certificate}`)).toBe(true);
    await expect(isEncrypted('?sslmode=verify-full')).rejects.toMatchObject(NOT_SAVED);
    expect(await isEncrypted('?sslmode=no-verify')).toBe(true);
    expect([await isEncrypted('?sslmode=disable'), await isEncrypted('')]).toEqual([false, false]);
  });
});
