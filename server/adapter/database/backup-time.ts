import type { Database } from './database.ts';
import { sql } from './sql.ts';

export async function saveBackupTime(database: Database, now: number): Promise<void> {
  await database.run(sql`INSERT INTO seeds (name, value) VALUES ('backup', ${String(now)})
    ON CONFLICT (name) DO UPDATE SET value = EXCLUDED.value`);
}

export async function readBackupTime(database: Database): Promise<number | null> {
  const row = await database.one<{ value: string }>(
    "SELECT value FROM seeds WHERE name = 'backup'",
  );
  return row && Number(row.value);
}
