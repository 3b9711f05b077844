import { StartError } from '#server/start-error.ts';

import type { Database } from './database.ts';
import { start } from './migrations/001-start.ts';
import { invalidation } from './migrations/002-invalidation.ts';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** Additional SQL for PostgreSQL. */
  readonly postgres?: string;
}

/** Every migration in its order. A new one is the last. */
const MIGRATIONS: readonly Migration[] = [start, invalidation];
/** The newest schema of this version. */
export const SCHEMA_NUMBER = MIGRATIONS.length;
/** An arbitrary number that all nodes share. */
const ADVISORY_LOCK = 7_355_608;

/**
 * Runs the migrations that are still missing, all in one transaction. Nodes that start at the same
 * time wait for each other: PostgreSQL has an advisory lock, SQLite a write lock.
 * Throws StartError for a database of a newer version.
 */
export async function migrate(database: Database, kind: 'sqlite' | 'postgres'): Promise<void> {
  await database.transaction(async (inside) => {
    if (kind === 'postgres') {
      await inside.one('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    }
    await inside.script(
      'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)',
    );
    const applied = await inside.all<{ number: number }>('SELECT number FROM migrations');
    const newest = Math.max(0, ...applied.map((row) => row.number));
    if (newest > SCHEMA_NUMBER) {
      throw new StartError(
        `The database is from a newer version (schema ${newest}, this version knows ${SCHEMA_NUMBER}).`,
      );
    }
    for (const migration of MIGRATIONS.slice(newest)) {
      await inside.script(migration.sql);
      if (kind === 'postgres' && migration.postgres) await inside.script(migration.postgres);
      await inside.run('INSERT INTO migrations (number, name) VALUES ($1, $2)', [
        migration.number,
        migration.name,
      ]);
    }
  });
}
