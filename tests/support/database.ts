import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { describe, inject } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { openPostgres } from '#server/db/postgres.ts';
import { openSqlite } from '#server/db/sqlite.ts';

import { silentLog } from './log.ts';
import { administer, databaseUrl } from './template.ts';

/** A new, migrated database; `dispose` deletes it. */
export interface TestDatabase {
  readonly database: Database;
  /** The folder of the file of SQLite. */
  readonly folder?: string;
  /** The URL of PostgreSQL. */
  readonly url?: string;
  readonly dispose: () => Promise<void>;
}

type Open = () => Promise<TestDatabase>;

/** Runs a group of tests on SQLite and on PostgreSQL. */
export function onEachDatabase(tests: (open: Open) => void): void {
  describe('on SQLite', () => tests(openTestSqlite));
  describe.skipIf(inject('postgresUrl') === '')('on PostgreSQL', () => tests(openTestPostgres));
}

export async function openTestSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-sqlite-'));
  copyFileSync(inject('sqliteTemplate'), testSqliteFile(folder));
  const database = openSqlite(testSqliteFile(folder));
  return {
    database,
    folder,
    dispose: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the database file in the folder of `openTestSqlite`. */
export const testSqliteFile = (folder: string) => join(folder, 'test.sqlite');

let count = 0;

/** Creates a copy of a database on the test server, an empty one by default; `drop` deletes it. */
export async function createPostgres(template = 'template1') {
  const server = inject('postgresUrl');
  const name = `test_${process.pid}_${Date.now()}_${(count += 1)}`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = databaseUrl(server, name);
  return { url, drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Creates a migrated database on the test server. */
export async function openTestPostgres(): Promise<TestDatabase & { readonly url: string }> {
  const { url, drop } = await createPostgres(inject('postgresTemplate'));
  const database = openPostgres(url, silentLog);
  return {
    url,
    database,
    dispose: async () => {
      await database.close();
      await drop();
    },
  };
}
