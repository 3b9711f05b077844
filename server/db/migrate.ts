import { StartError } from '#server/start-error.ts';

import type { Database } from './database.ts';
import { start } from './migrations/001-start.ts';
import { invalidation } from './migrations/002-invalidation.ts';

interface Migration {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** What PostgreSQL needs besides. */
  readonly postgres?: string;
}

const MIGRATIONS: readonly Migration[] = [start, invalidation];
/** The newest schema that this version knows. */
export const SCHEMA_NUMBER = MIGRATIONS.length;
// Any number will do, as long as every node asks for the same one.
const ADVISORY_LOCK = 7_355_608;

/**
 * Brings the schema up to date, each migration once, all in one transaction. Nodes that start at
 * once wait for each other: PostgreSQL by an advisory lock, SQLite by its write lock.
 */
export async function migrate(database: Database, kind: 'sqlite' | 'postgres'): Promise<void> {
  await database.transaction(async (inside) => {
    if (kind === 'postgres') {
      await inside.one('SELECT pg_advisory_xact_lock($1)', [ADVISORY_LOCK]);
    }
    await inside.script(
      'CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)',
    );
    const done = await inside.all<{ number: number }>('SELECT number FROM migrations');
    const newest = Math.max(0, ...done.map((row) => row.number));
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
