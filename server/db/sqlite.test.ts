import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { ApiError } from '#server/http/api-error.ts';

import type { Database } from './database.ts';
import { lockFolder } from './lock.ts';
import { openSqlite } from './sqlite.ts';

const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfterSeconds: 2 };
let folder: string;
let file: string;
let database: Database;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-sqlite-'));
  file = join(folder, 'test.sqlite');
  database = openSqlite(file);
  await database.script('CREATE TABLE notes (word TEXT NOT NULL)');
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const addLargeNote = () => database.run('INSERT INTO notes VALUES ($1)', ['x'.repeat(100_000)]);
const countNotes = () => database.one('SELECT COUNT(*) AS count FROM notes');

test('SQLite: has a write-ahead log, synced commits and foreign keys', async () => {
  const pragmas = ['journal_mode', 'synchronous', 'foreign_keys'];
  const found = await Promise.all(pragmas.map((pragma) => database.one(`PRAGMA ${pragma}`)));
  expect(found).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }, { foreign_keys: 1 }]);
});

test('SQLite on a full disk: writes are unavailable, reads work, and no restart is needed', async () => {
  await database.script('PRAGMA max_page_count = 40');
  await addLargeNote();
  await expect(addLargeNote()).rejects.toMatchObject(UNAVAILABLE);
  const inTransaction = database.transaction((inside) =>
    inside.run('INSERT INTO notes VALUES ($1)', ['x'.repeat(100_000)]),
  );
  await expect(inTransaction).rejects.toBeInstanceOf(ApiError);
  // The driver reports errors differently for a statement that returns rows.
  const returning = 'INSERT INTO notes VALUES ($1) RETURNING word';
  await expect(database.one(returning, ['x'.repeat(100_000)])).rejects.toMatchObject(UNAVAILABLE);
  await expect(database.all(returning, ['x'.repeat(100_000)])).rejects.toMatchObject(UNAVAILABLE);
  expect(await countNotes()).toEqual({ count: 1 });
  await database.script('PRAGMA max_page_count = 400');
  await addLargeNote();
  expect(await countNotes()).toEqual({ count: 2 });
});

test('SQLite locked by another process: writes are unavailable until it is unlocked', async () => {
  const tool = new DatabaseSync(file);
  tool.exec('BEGIN IMMEDIATE');
  await expect(addLargeNote()).rejects.toMatchObject(UNAVAILABLE);
  const inTransaction = database.transaction(async () => 'never');
  await expect(inTransaction).rejects.toMatchObject(UNAVAILABLE);
  const returning = database.one("INSERT INTO notes VALUES ('x') RETURNING word");
  await expect(returning).rejects.toMatchObject(UNAVAILABLE);
  expect(await countNotes()).toEqual({ count: 0 });
  tool.exec('ROLLBACK');
  tool.close();
  await addLargeNote();
  expect(await countNotes()).toEqual({ count: 1 });
});

test('folder lock: has one holder at a time', () => {
  const path = join(folder, 'lock.sqlite');
  const unlock = lockFolder(path);
  expect(unlock).not.toBe(null);
  expect(lockFolder(path)).toBe(null);
  unlock?.();
  const again = lockFolder(path);
  expect(again).not.toBe(null);
  again?.();
});

test('folder lock: throws if its file cannot be created', () => {
  expect(() => lockFolder(join(folder, 'nowhere', 'lock.sqlite'))).toThrow(/open/i);
});

test('SQLite: the event loop continues between waiting writes', async () => {
  let turns = 0;
  let timer = setImmediate(function count() {
    turns += 1;
    timer = setImmediate(count);
  });
  await Promise.all(Array.from({ length: 10 }, addLargeNote));
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(9);
});
