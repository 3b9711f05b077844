import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { ApiError } from '#server/http/api-error.ts';

import type { Database } from './database.ts';
import { lockFolder } from './lock.ts';
import { openSqlite } from './sqlite.ts';

const NOT_SAVED = { code: 'unavailable', status: 503, retryAfterSeconds: 2 };
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

const addMuch = () => database.run('INSERT INTO notes VALUES ($1)', ['x'.repeat(100_000)]);
const countNotes = () => database.one('SELECT COUNT(*) AS count FROM notes');

test('every commit is synced, in a write-ahead log, with foreign keys on', async () => {
  const pragmas = ['journal_mode', 'synchronous', 'foreign_keys'];
  const found = await Promise.all(pragmas.map((pragma) => database.one(`PRAGMA ${pragma}`)));
  expect(found).toEqual([{ journal_mode: 'wal' }, { synchronous: 2 }, { foreign_keys: 1 }]);
});

test('a full disk is not saved, reads go on, and nothing needs a restart', async () => {
  await database.script('PRAGMA max_page_count = 40');
  await addMuch();
  await expect(addMuch()).rejects.toMatchObject(NOT_SAVED);
  const inTransaction = database.transaction((inside) =>
    inside.run('INSERT INTO notes VALUES ($1)', ['x'.repeat(100_000)]),
  );
  await expect(inTransaction).rejects.toBeInstanceOf(ApiError);
  // The driver tells less of what fails in a statement that gives rows back.
  const giving = 'INSERT INTO notes VALUES ($1) RETURNING word';
  await expect(database.one(giving, ['x'.repeat(100_000)])).rejects.toMatchObject(NOT_SAVED);
  await expect(database.all(giving, ['x'.repeat(100_000)])).rejects.toMatchObject(NOT_SAVED);
  expect(await countNotes()).toEqual({ count: 1 });
  await database.script('PRAGMA max_page_count = 400');
  await addMuch();
  expect(await countNotes()).toEqual({ count: 2 });
});

test('while a tool from outside holds the file nothing is saved, and then it is again', async () => {
  const tool = new DatabaseSync(file);
  tool.exec('BEGIN IMMEDIATE');
  await expect(addMuch()).rejects.toMatchObject(NOT_SAVED);
  const inTransaction = database.transaction(async () => 'never');
  await expect(inTransaction).rejects.toMatchObject(NOT_SAVED);
  const giving = database.one("INSERT INTO notes VALUES ('x') RETURNING word");
  await expect(giving).rejects.toMatchObject(NOT_SAVED);
  expect(await countNotes()).toEqual({ count: 0 });
  tool.exec('ROLLBACK');
  tool.close();
  await addMuch();
  expect(await countNotes()).toEqual({ count: 1 });
});

test('a folder is one holder’s at a time', () => {
  const path = join(folder, 'lock.sqlite');
  const unlock = lockFolder(path);
  expect(unlock).not.toBe(null);
  expect(lockFolder(path)).toBe(null);
  unlock?.();
  const again = lockFolder(path);
  expect(again).not.toBe(null);
  again?.();
});

test('a lock that cannot be made is an error and not another holder', () => {
  expect(() => lockFolder(join(folder, 'nowhere', 'lock.sqlite'))).toThrow(/open/i);
});
