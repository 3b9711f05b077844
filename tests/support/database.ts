import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Client } from 'pg';
import { afterAll, describe, inject, test } from 'vitest';

import type { Database } from '#server/adapter/database/database.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { openSqlite } from '#server/adapter/database/sqlite.ts';

import { closeAtEnd } from './folder.ts';
import { silentLog } from './log.ts';
import { LONG_LIMITS, administer, databaseUrl } from './postgres.ts';

/** A new, migrated database that is deleted at the end of the test. */
export interface TestDatabase {
  readonly database: Database;
  readonly folder?: string;
  readonly url?: string;
  readonly dispose: () => Promise<void>;
}

export async function tableNames(database: Database): Promise<string[]> {
  const tables = await database.all<{ name: string }>(
    database.kind === 'sqlite'
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'",
  );
  return tables.map(({ name }) => name).toSorted();
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined;
  return () => (done ??= work());
}

type Open = () => Promise<TestDatabase>;

export function onEachDatabase(tests: (open: Open) => void): void {
  describe('on SQLite', () => tests(openTestSqlite));
  describe.skipIf(inject('postgresUrl') === '')('on PostgreSQL', () => tests(openTestPostgres));
}

export function testOnPostgres(title: string, work: () => Promise<unknown>): void {
  test.skipIf(inject('postgresUrl') === '')(title, async () => void (await work()));
}

export async function openTestSqlite(): Promise<TestDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-sqlite-'));
  copyFileSync(inject('sqliteTemplate'), testSqliteFile(folder));
  const database = openSqlite(testSqliteFile(folder));
  const dispose = once(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  closeAtEnd(dispose);
  return { database, folder, dispose };
}

export const testSqliteFile = (folder: string) => join(folder, 'test.sqlite');

let count = 0;

/** Creates a copy of a database on the test server, which is empty by default. `drop` deletes the copy. */
export async function createPostgres(template = 'template1') {
  const server = inject('postgresUrl');
  const name = `test_${process.pid}_${Date.now()}_${(count += 1)}`;
  await administer(server, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = databaseUrl(server, name);
  return { url, drop: () => administer(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

/** Deletes the rows of all tables without running triggers, and returns a hash of the schema. */
const EMPTY_TABLES = `
  SET session_replication_role = replica;
  DO $$ DECLARE name text; BEGIN
    FOR name IN SELECT tablename FROM pg_tables
      WHERE schemaname = 'public' AND tablename <> 'migrations'
    LOOP EXECUTE format('DELETE FROM %I', name); END LOOP;
  END $$;
  SELECT md5(string_agg(concat(relname, attname, atttypid, attnotnull), ',' ORDER BY relname, attnum)
      || (SELECT string_agg(number::text, ',' ORDER BY number) FROM migrations)) AS schema
    FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = 'public'::regnamespace`;

/** Deletes all rows of a database. Returns a hash of its schema, or null if that failed. */
async function emptyTables(url: string): Promise<string | null> {
  const client = new Client({ connectionString: url, lock_timeout: 1000 });
  try {
    await client.connect();
    const results = (await client.query(EMPTY_TABLES)) as unknown as {
      rows: { schema: string }[];
    }[];
    return results.at(-1)?.rows[0]?.schema ?? null;
  } catch {
    return null;
  } finally {
    await client.end();
  }
}

type Copy = Awaited<ReturnType<typeof createPostgres>> & { readonly schema: string | null };
/** The next tests of this file use these migrated databases without rows. */
const reusableCopies: Copy[] = [];
afterAll(() => Promise.all(reusableCopies.splice(0).map(({ drop }) => drop())));

async function createCopy(): Promise<Copy> {
  const created = await createPostgres(inject('postgresTemplate'));
  return { ...created, schema: await emptyTables(created.url) };
}

export async function openTestPostgres(): Promise<TestDatabase & { readonly url: string }> {
  const copy = reusableCopies.pop() ?? (await createCopy());
  const database = openPostgres(copy.url, silentLog, LONG_LIMITS);
  const dispose = once(async () => {
    await database.close();
    const schema = await emptyTables(copy.url);
    if (schema !== null && schema === copy.schema) reusableCopies.push(copy);
    else await copy.drop();
  });
  closeAtEnd(dispose);
  return { url: copy.url, database, dispose };
}
