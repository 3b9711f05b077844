import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';

import { expect, inject, onTestFinished, test, vi } from 'vitest';

import { HOUR_MS } from '#domain/duration.ts';
import { StartError } from '#server/start-error.ts';
import { newFolder } from '#tests/support/folder.ts';
import { silentLog } from '#tests/support/log.ts';
import { administer, databaseUrl, startCluster } from '#tests/support/postgres.ts';

import { migrateDatabase, openDatabase } from './connect.ts';
import { databaseFile, findRejectedStart, lockDataFolder } from './data-folder.ts';

async function errorOf(url: string | null, dataDir = newFolder()): Promise<string> {
  try {
    const settings = { databaseUrl: url, databasePoolSize: 1, dataDir };
    const database = await openDatabase(settings, silentLog);
    // Closing a damaged file fails too.
    onTestFinished(() => database.close().catch(() => undefined));
    await migrateDatabase(database, settings, silentLog);
    return 'connected';
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
}

test.skipIf(inject('postgresUrl') === '')('DATABASE_URL: an error names the setting', async () => {
  const cluster = await startCluster();
  onTestFinished(() => cluster.stop());
  await administer(cluster.url, 'CREATE ROLE guest LOGIN');
  const errors: string[] = [];
  const users = [{ username: 'nobody' }, { username: 'guest' }];
  await administer(cluster.url, 'CREATE DATABASE other');
  await administer(databaseUrl(cluster.url, 'other'), 'CREATE TABLE users (id INTEGER)');
  const changes = [...users, { pathname: '/missing' }, { pathname: '/other' }, { port: '1' }, {}];
  for (const change of changes)
    errors.push(await errorOf(Object.assign(new URL(cluster.url), change).href));
  const used = 'DATABASE_URL: the database cannot be used';
  expect(errors).toEqual([
    `${used} (role "nobody" does not exist). Check the user and the password.`,
    `${used} (permission denied for schema public). The user must own the database, or have CREATE on its schema (docs/operate/scaling.md#postgresql).`,
    `${used} (database "missing" does not exist). Create the database, or correct its name.`,
    `${used} (relation "users" already exists). Nothing was changed by this statement. Start the version before, and report this message.`,
    'DATABASE_URL: the database cannot be reached (connect ECONNREFUSED 127.0.0.1:1). Start PostgreSQL, correct the address, or let this machine connect (firewall, pg_hba.conf, TLS).',
    'connected',
  ]);
});

test('data folder: nodes with PostgreSQL share it, but not with the embedded database, and a rejected start leaves a mark', async () => {
  const dataDir = newFolder();
  const inUse = `Another Tessera is running on the data folder ${dataDir}.`;
  const settings = { databaseUrl: 'postgres://127.0.0.1:1/none', databasePoolSize: 1, dataDir };
  const findRejected = () => findRejectedStart(dataDir, Date.now());
  const nodes = [await openDatabase(settings, silentLog), await openDatabase(settings, silentLog)];
  expect(() => lockDataFolder(dataDir)).toThrow(inUse);
  for (const node of nodes) await node.close();
  const unlock = lockDataFolder(dataDir);
  expect(await findRejected()).toBe(null);
  await expect(openDatabase(settings, silentLog)).rejects.toThrow(inUse);
  expect(await findRejected()).toContain(`has tried to start on the data folder ${dataDir}`);
  expect(await findRejectedStart(dataDir, Date.now() + HOUR_MS)).toBe(null);
  unlock();
  await (await openDatabase(settings, silentLog)).close();
  expect(await findRejected()).toBe(null);
});

const ADVICE_DAMAGED =
  "DATA_DIR: FILE is damaged (file is not a database). Restore a backup (docs/operate/restore.md). SQLite's own check shows more: sqlite3 FILE 'PRAGMA integrity_check'";
const ADVICE_EMPTY =
  'DATA_DIR: FILE is empty, so its data is lost. Restore a backup (docs/operate/restore.md), or delete the file to start with an empty database.';

test('embedded database: a new one is synced before it has its name, and its folder after it', async () => {
  const folder = newFolder();
  const handle = await open(folder);
  const prototype = Object.getPrototypeOf(handle) as typeof handle;
  await handle.close();
  const hasName: boolean[] = [];
  const sync = vi.spyOn(prototype, 'sync').mockImplementation(async () => {
    hasName.push(existsSync(databaseFile(folder)));
  });
  onTestFinished(() => sync.mockRestore());
  expect(await errorOf(null, folder)).toBe('connected');
  expect(hasName).toEqual([false, true]);
});

/** Files that a start finds: by suffix of the database file. */
test.each([
  ['a first start that was killed early', { '.new': '', '.new-wal': 'a' }, 'connected'],
  ['a first start that was killed late', { '.new': 'SQLite format 3\0', '-wal': 'a' }, 'connected'],
  ['an empty file', { '': '' }, ADVICE_EMPTY],
  ['a damaged file', { '': 'garbage '.repeat(1000) }, ADVICE_DAMAGED],
])('embedded database: %s', async (_, files, expected) => {
  const folder = newFolder();
  const file = databaseFile(folder);
  for (const [suffix, text] of Object.entries(files)) writeFileSync(file + suffix, text);
  expect(await errorOf(null, folder)).toBe(expected.replaceAll('FILE', file));
  if (expected === 'connected')
    expect(readdirSync(folder)).toEqual(expect.not.arrayContaining(['tessera.sqlite.new']));
});
