import type { Database } from './database.ts';
import { sql } from './sql.ts';

/** Saves when the last backup ended (milliseconds since 1970), which a copy to another database does not take. */
export async function saveBackupTime(database: Database, now: number): Promise<void> {
  await database.run(sql`INSERT INTO seeds (name, value) VALUES ('backup', ${String(now)})
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`);
}

/** Returns milliseconds since 1970; null before the first backup. */
export async function readBackupTime(database: Database): Promise<number | null> {
  const row = await database.one<{ value: string }>(
    "SELECT value FROM seeds WHERE name = 'backup'",
  );
  return row && Number(row.value);
}
