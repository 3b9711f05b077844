import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';

import { DatabaseSync } from '@photostructure/sqlite';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { HOUR_MS } from '#domain/duration.ts';
import { newFolder } from '#tests/support/folder.ts';
import { waitUntil } from '#tests/support/polling.ts';

import { Unavailable, UniqueViolation } from './database.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';
import { lockDataFolder } from './data-folder.ts';
import { STATEMENTS_MAX, STATEMENT_LENGTH_MAX } from './sqlite-writer.ts';
import { openSqlite } from './sqlite.ts';

/** The options of the connections that this thread has opened, and the statements that it has prepared. */
const connections: { readonly readOnly?: boolean }[] = [];
const preparedTexts: string[] = [];
vi.mock('@photostructure/sqlite', async (load) => {
  const original = await load<{ DatabaseSync: typeof DatabaseSync }>();
  class RecordedConnection extends original.DatabaseSync {
    constructor(path: string, options: { readonly readOnly?: boolean } = {}) {
      super(path, options);
      connections.push(options);
    }
    override prepare(text: string) {
      preparedTexts.push(text);
      return super.prepare(text);
    }
  }
  return { ...original, DatabaseSync: RecordedConnection };
});

const UNAVAILABLE = 'The database is not available: not saved. Try again.';
let folder: string;
let file: string;
let database: Database;

beforeEach(async () => {
  connections.length = 0;
  folder = newFolder();
  file = join(folder, 'test.sqlite');
  database = openSqlite(file);
  onTestFinished(() => database.close());
  await database.script('CREATE TABLE notes (word TEXT NOT NULL)');
});

const insertNote = (word: string) => sql`INSERT INTO notes VALUES (${word})`;
const addNote = (word: string) => database.run(insertNote(word));
const words = async () => {
  const rows = await database.all<{ word: string }>('SELECT word FROM notes ORDER BY rowid');
  return rows.map(({ word }) => word);
};
const LARGE = 'x'.repeat(100_000);
const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`);

/** Expects it of all writes. The driver reports errors differently for a statement that returns rows. */
async function expectUnavailable(): Promise<void> {
  const returning = sql`INSERT INTO notes VALUES (${LARGE}) RETURNING word`;
  const inTransaction = database.transaction((tx) => tx.run(insertNote(LARGE)));
  await expect(inTransaction).rejects.toBeInstanceOf(Unavailable);
  await expect(addNote(LARGE)).rejects.toThrow(UNAVAILABLE);
  await expect(database.one(returning)).rejects.toThrow(UNAVAILABLE);
  await expect(database.all(returning)).rejects.toThrow(UNAVAILABLE);
}

test('SQLite on a full disk: writes are unavailable, reads work, and no restart is needed', async () => {
  await database.script('PRAGMA max_page_count = 40');
  // One that does not fit does not affect the others of its commit.
  const outcomes = await Promise.allSettled(['a', LARGE, LARGE, 'b'].map(addNote));
  const expected = ['fulfilled', 'fulfilled', 'rejected', 'fulfilled'];
  expect(outcomes.map(({ status }) => status)).toEqual(expected);
  expect(await words()).toEqual(['a', LARGE, 'b']);
  await expectUnavailable();
  await database.script('PRAGMA max_page_count = 400');
  await addNote(LARGE);
  expect(await words()).toEqual(['a', LARGE, 'b', LARGE]);
});

test('SQLite locked by another process: writes are unavailable until it is unlocked', async () => {
  const tool = new DatabaseSync(file);
  tool.exec('BEGIN IMMEDIATE');
  await expectUnavailable();
  await expect(database.transaction(async () => 'never')).rejects.toThrow(UNAVAILABLE);
  expect(await words()).toEqual([]);
  tool.exec('ROLLBACK');
  tool.close();
  await addNote('a');
  expect(await words()).toEqual(['a']);
});

test('SQLite with a damaged page: a statement that needs it fails, and the damage is known', async () => {
  for (const word of numbers(100)) await addNote(LARGE.slice(0, 3000) + word);
  await database.script('PRAGMA wal_checkpoint(TRUNCATE)');
  const bytes = readFileSync(file);
  writeFileSync(file, bytes.fill(0xff, bytes.length / 2, bytes.length / 2 + 8192));
  const damaged = openSqlite(file);
  onTestFinished(() => damaged.close());
  expect(await damaged.one('SELECT word FROM notes LIMIT 1')).not.toBe(null);
  expect(damaged.damage?.found).toBe(null);
  await expect(damaged.all('SELECT word FROM notes')).rejects.toThrow('malformed');
  expect(damaged.damage?.found).toBe('database disk image is malformed');
  const other = openSqlite(file);
  onTestFinished(() => other.close());
  await expect(other.run('DELETE FROM notes')).rejects.toThrow('malformed');
  expect(other.damage?.found).toBe('database disk image is malformed');
});

test('folder lock: a file that cannot be created is its own error', () =>
  expect(() => lockDataFolder(join(folder, 'nowhere'))).toThrow(/open/i));

test('SQLite: writes run and are synced in the order of the calls, and this thread only reads them', async () => {
  for (const word of numbers(50)) {
    await addNote(word);
    expect((await words()).at(-1)).toBe(word);
  }
  const acknowledged: string[] = [];
  const write = async (word: string): Promise<void> => {
    if (word.endsWith('3')) await database.batch([insertNote(word), insertNote(word)]);
    else if (word.endsWith('5')) await database.transaction((tx) => tx.batch([insertNote(word)]));
    else if (word.endsWith('7')) await database.script(`INSERT INTO notes VALUES ('${word}')`);
    else await addNote(word);
    acknowledged.push(word);
  };
  await Promise.all(numbers(100).map(write));
  expect([...new Set((await words()).slice(50))]).toEqual(numbers(100));
  expect(acknowledged).toEqual(numbers(100));
  const pragmas = ['journal_mode', 'synchronous', 'foreign_keys'];
  const found = await Promise.all(pragmas.map((pragma) => database.one(`PRAGMA ${pragma}`)));
  expect(found).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }, { foreign_keys: 1 }]);
  expect(connections.length).toBeGreaterThan(0);
  expect(connections.filter((options) => options.readOnly !== true)).toEqual([]);
});

test('SQLite: all writes that wait during a commit are in the next one, and one that fails does not affect the others', async () => {
  const post = vi.spyOn(Worker.prototype, 'postMessage');
  onTestFinished(() => post.mockRestore());
  const first = addNote('first');
  await waitUntil(() => post.mock.calls.length === 1);
  await Promise.all([first, ...numbers(50).map(addNote)]);
  const sizes = post.mock.calls.map(([request]) => (request as { jobs: unknown[] }).jobs.length);
  expect(sizes).toEqual([1, 50]);

  await database.script('CREATE UNIQUE INDEX unique_word ON notes (word)');
  const stop = { sql: sql`SELECT 1`, errorIfRow: () => new Error('stopped') };
  const outcomes = await Promise.allSettled([
    addNote('a'),
    addNote('a'),
    database.batch([insertNote('x'), insertNote('a')]),
    database.batch([insertNote('x'), stop]),
    database.run('INSERT INTO nowhere VALUES (1)'),
    addNote('b'),
  ]);
  const duplicate = expect.any(UniqueViolation);
  const noTable = expect.objectContaining({ message: 'no such table: nowhere' });
  const expected = [1, duplicate, duplicate, new Error('stopped'), noTable, 1];
  const found = outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason));
  expect(found).toEqual(expected);
  expect((await words()).slice(51)).toEqual(['a', 'b']);
});

test('SQLite: a write that the disk does not confirm in time fails, and the writes after it', async () => {
  const slow = openSqlite(file, { writeTimeoutMs: 20 });
  onTestFinished(() => slow.close());
  const onUnseenChanges = vi.fn();
  slow.onUnseenChanges?.(onUnseenChanges);
  await slow.all('SELECT 1');
  const unconfirmed = slow.run(`INSERT INTO notes WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL
    SELECT n + 1 FROM number WHERE n < 3000000) SELECT 'slow ' || COUNT(*) FROM number`);
  // The thread has it after one iteration of the event loop, so the next write is not in its group.
  await new Promise(setImmediate);
  await new Promise(setImmediate);
  const waiting = slow.run(insertNote('waiting'));
  await expect(unconfirmed).rejects.toThrow('it is not known whether it was saved');
  await expect(waiting).rejects.toThrow('not saved. Try again');
  await expect(slow.run(insertNote('during'))).rejects.toThrow('not saved. Try again');
  expect(onUnseenChanges).not.toHaveBeenCalled();
  await waitUntil(() => onUnseenChanges.mock.calls.length === 1);
  await vi.waitFor(() => slow.run('DELETE FROM notes WHERE word IS NULL'), { timeout: 30_000 });
  expect(await slow.all('SELECT word FROM notes')).toEqual([{ word: 'slow 3000000' }]);
});

test('SQLite: reports the commits of another process, and none of its own', async () => {
  const watched = openSqlite(file);
  const other = openSqlite(file);
  onTestFinished(async () => void (await Promise.all([watched.close(), other.close()])));
  await watched.all('SELECT 1');
  const onUnseenChanges = vi.fn();
  watched.onUnseenChanges?.(onUnseenChanges);
  await other.run(insertNote('foreign'));
  await waitUntil(() => onUnseenChanges.mock.calls.length === 1);
  // Each write looks for foreign commits first, and would find the one before it.
  for (const number of numbers(20)) await watched.run(insertNote(number));
  expect(onUnseenChanges).toHaveBeenCalledOnce();
  // Before a write it does not wait for the next check.
  await other.run(insertNote('foreign'));
  await watched.run(insertNote('own'));
  expect(onUnseenChanges).toHaveBeenCalledTimes(2);
});

test('SQLite: close finishes all writes; later calls fail', async () => {
  const writes = numbers(50).map(addNote);
  const closed = database.close();
  const late = addNote('late');
  expect(await Promise.all(writes)).toEqual(writes.map(() => 1));
  await closed;
  await expect(late).rejects.toThrow('closed');
  await expect(addNote('later')).rejects.toThrow('closed');
  await expect(words()).rejects.toThrow('closed');
  database = openSqlite(file);
  expect(await words()).toEqual(numbers(50));
});

/** Records what the writing thread prepares, and returns what `work` has made it prepare. */
async function startRecordedWorker() {
  const driver = join(folder, 'driver.cjs');
  const real = JSON.stringify(createRequire(import.meta.url).resolve('@photostructure/sqlite'));
  writeFileSync(
    driver,
    `const { DatabaseSync } = require(${real});
    const { parentPort } = require('node:worker_threads');
    exports.DatabaseSync = class extends DatabaseSync {
      prepare(text) { parentPort.postMessage(text); return super.prepare(text); }
    };`,
  );
  const limits = { statementsMax: STATEMENTS_MAX, statementLengthMax: STATEMENT_LENGTH_MAX };
  const times = { busyTimeoutMs: 0, checkEveryMs: HOUR_MS, emptyLogEveryMs: HOUR_MS };
  const workerData = { file: join(folder, 'worker.sqlite'), driver, ...limits, ...times };
  const workerCode = readFileSync(new URL('./sqlite-worker.js', import.meta.url), 'utf8');
  const worker = new Worker(workerCode, { eval: true, workerData });
  onTestFinished(() => void worker.terminate());
  const next = async () => ((await once(worker, 'message')) as unknown[])[0];
  while (!Array.isArray(await next()));
  return async (text: string) => {
    const job = [{ kind: 'rows', sql: text, values: [] }];
    worker.postMessage({ kind: 'group', jobs: [job] });
    let count = 0;
    while (!Array.isArray(await next())) count += 1;
    return count;
  };
}

test.each(['reading', 'writing'])(
  'SQLite: the %s connection keeps the 200 statements that were used last, and no long one',
  async (name) => {
    const prepares =
      name === 'writing'
        ? await startRecordedWorker()
        : async (text: string) => {
            preparedTexts.length = 0;
            await database.all(text);
            return preparedTexts.length;
          };
    const texts = Array.from({ length: 250 }, (_, index) => `SELECT ${index}`);
    for (const text of texts) expect(await prepares(text)).toBe(1);
    // A statement that was dropped is prepared again and replaces another one.
    expect([await prepares('SELECT 249'), await prepares('SELECT 0')]).toEqual([0, 1]);
    expect([await prepares('SELECT 100'), await prepares('SELECT 50')]).toEqual([0, 1]);
    const long = `SELECT '${'x'.repeat(STATEMENT_LENGTH_MAX)}'`;
    expect([await prepares(long), await prepares(long)]).toEqual([1, 1]);
  },
);
