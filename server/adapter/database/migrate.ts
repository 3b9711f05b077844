import { setTimeout as delay } from 'node:timers/promises';

import { MINUTE_MS } from '#domain/duration.ts';
import { StartError } from '#server/start-error.ts';

import { Unavailable } from './database.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';
import { RELEASE_1_0 } from './migrations/release-1-0.ts';
import { RELEASE_1_1 } from './migrations/release-1-1.ts';
import { END_OF_RELEASE_2_0, RELEASE_2_0 } from './migrations/release-2-0.ts';
import { RELEASE_2_1 } from './migrations/release-2-1.ts';
import { fillSearch } from './search.ts';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql?: string;
  readonly sqlite?: string;
  readonly postgres?: string;
  /** True if the previous version can still write, because only indexes, tables or optional columns are new. */
  readonly onlyAdds?: boolean;
}

/**
 * The migrations of a release become one when no database can be between them. Append new ones to the last
 * list, and never change a released one.
 */
const MIGRATIONS: readonly Migration[] = [
  RELEASE_1_0,
  RELEASE_1_1,
  RELEASE_2_0,
  ...RELEASE_2_1.map((migration) => ({ onlyAdds: true, ...migration })),
];
export const SCHEMAS = MIGRATIONS.map(({ number }) => number);
export const SCHEMA_VERSION = Math.max(...SCHEMAS);
const ADVISORY_LOCK = 7_355_608;

export const MIGRATION_TIMEOUT_MS = 10 * MINUTE_MS;
/** A statement that waits for a table lock blocks all later ones, which wait for 1 s (postgres.ts). */
const LOCK_TIMEOUT_MS = 300;
const RETRY_EVERY_MS = 500;
/** SQLSTATE lock_not_available (PostgreSQL, appendix A). */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs the missing migrations, up to number `schema`. With PostgreSQL each migration is a transaction,
 * because with the locks of several it could deadlock with a running node. Each wait for a lock is short
 * and repeated. Throws StartError.
 */
export async function migrate(database: Database, schema = SCHEMA_VERSION): Promise<void> {
  const end = performance.now() + MIGRATION_TIMEOUT_MS;
  for (;;) {
    try {
      let isComplete = false;
      while (!isComplete) {
        isComplete = await database.transaction((transaction) => runNext(transaction, schema));
      }
      // Running nodes can write between the batches, and a later start continues them.
      if (schema === SCHEMA_VERSION) await fillSearch(database);
      return;
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
    }
    await delay(RETRY_EVERY_MS);
  }
}

async function runNext(transaction: Database, schema: number): Promise<boolean> {
  const isPostgres = transaction.kind === 'postgres';
  if (isPostgres) {
    await transaction.script(
      `SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`,
    );
    await transaction.one(sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`);
  }
  await transaction.script(
    'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)',
  );
  const newest = await readSchemaVersion(transaction);
  const missing = MIGRATIONS.filter(({ number }) => number > newest && number <= schema);
  if (newest === END_OF_RELEASE_2_0.after && missing[0]) missing[0] = END_OF_RELEASE_2_0;
  const next = isPostgres && newest > 0 ? missing.slice(0, 1) : missing;
  for (const { number, ...migration } of next) {
    for (const script of [migration.sql, migration[transaction.kind]])
      if (script) await transaction.script(script);
    await transaction.run(sql`INSERT INTO migrations (number, name)
      VALUES (${number}, ${migration.name})`);
    if (migration.onlyAdds)
      await transaction.run(sql`UPDATE migrations SET only_adds = 1 WHERE number = ${number}`);
  }
  return next.length === missing.length;
}

export async function readNewestMigration(database: Database): Promise<number> {
  const row = await database.one<{ number: number | null }>(
    'SELECT MAX(number) AS number FROM migrations',
  );
  return row?.number ?? 0;
}

/**
 * Returns the number of the newest migration that this version knows. Throws StartError if the database
 * has a newer one that does not only add.
 */
export async function readSchemaVersion(database: Database): Promise<number> {
  const number = await readNewestMigration(database);
  if (number <= SCHEMA_VERSION) return number;
  const other = await database.one(sql`SELECT number FROM migrations
    WHERE number > ${SCHEMA_VERSION} AND only_adds = 0 LIMIT 1`);
  if (other === null) return SCHEMA_VERSION;
  throw new StartError(
    `The database is from a newer version (schema ${number}, this version knows ${SCHEMA_VERSION}). Use the version that created it.`,
  );
}

function isLocked(error: unknown): boolean {
  if (!(error instanceof Unavailable) || !(error.cause instanceof Error)) return false;
  return 'code' in error.cause && error.cause.code === LOCK_NOT_AVAILABLE;
}
