import { setTimeout as delay } from 'node:timers/promises';

import { MINUTE_MS } from '#domain/duration.ts';
import { StartError } from '#server/start-error.ts';

import { Unavailable } from './database.ts';
import type { Database } from './database.ts';
import { sql } from './sql.ts';
import { MIGRATIONS_1_TO_8 } from './migrations/001-to-008.ts';
import { MIGRATIONS_9_TO_18 } from './migrations/009-to-018.ts';
import { MIGRATIONS_19_TO_30 } from './migrations/019-to-030.ts';
import { MIGRATIONS_31_TO_38 } from './migrations/031-to-038.ts';
import { fillSearch } from './search.ts';

interface Migration {
  readonly name: string;
  readonly sql: string;
  readonly sqlite?: string;
  readonly postgres?: string;
  /** It only adds an index, a table or an optional column, so the previous version can write. */
  readonly onlyAdds?: boolean;
}

/** Append new ones to the last list. Never change or move a released one: its number is its position. */
const MIGRATIONS: readonly Migration[] = [
  ...MIGRATIONS_1_TO_8,
  ...MIGRATIONS_9_TO_18,
  ...MIGRATIONS_19_TO_30,
  // Earlier ones do not say it.
  ...(MIGRATIONS_31_TO_38 satisfies readonly { onlyAdds: boolean }[]),
];
export const SCHEMA_VERSION = MIGRATIONS.length;
/** The migration of the column that fillSearch() fills. */
const CONTACT_SEARCH = 12;
const ADVISORY_LOCK = 7_355_608;

export const MIGRATION_TIMEOUT_MS = 10 * MINUTE_MS;
/** A statement that waits for a table lock blocks all later ones, which wait for 1 s (postgres.ts). */
const LOCK_TIMEOUT_MS = 300;
const RETRY_EVERY_MS = 500;
/** SQLSTATE lock_not_available (PostgreSQL, appendix A). */
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Runs the missing migrations, up to number `schema`. With PostgreSQL each wait for a lock is short
 * and repeated, and each migration is a transaction: with the locks of two tables it could deadlock
 * with a node. Throws StartError.
 */
export async function migrate(database: Database, schema = SCHEMA_VERSION): Promise<void> {
  const end = performance.now() + MIGRATION_TIMEOUT_MS;
  for (;;) {
    try {
      let isComplete = false;
      while (!isComplete) {
        isComplete = await database.transaction((transaction) => runNext(transaction, schema));
      }
      // In batches of their own, so that running nodes can write meanwhile; a later start continues it.
      if (schema >= CONTACT_SEARCH) await fillSearch(database);
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
  const missing = MIGRATIONS.slice(newest, schema);
  const next = isPostgres && newest > 0 ? missing.slice(0, 1) : missing;
  for (const [index, migration] of next.entries()) {
    const number = newest + index + 1;
    await transaction.script(migration.sql);
    const own = migration[transaction.kind];
    if (own) await transaction.script(own);
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

/** The newest that this version knows. Throws StartError if a newer one does not only add. */
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
