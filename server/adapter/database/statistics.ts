import type { Database } from './database.ts';
import { sql } from './sql.ts';

export interface DatabaseStatistics {
  readonly users: number;
  readonly cards: number;
  readonly photos: number;
  readonly contacts: number;
  readonly bytes: number;
}

export async function readDatabaseStatistics(database: Database): Promise<DatabaseStatistics> {
  const size =
    database.kind === 'postgres'
      ? 'pg_database_size(current_database())'
      : '(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)';
  const row = await database.one<DatabaseStatistics>(
    `SELECT COUNT(*) AS users,
      COUNT(NULLIF(phone, '')) AS cards,
      COUNT(NULLIF(profile_photo, '')) AS photos,
      (SELECT COUNT(*) FROM contacts) AS contacts,
      ${size} AS bytes
    FROM users`,
  );
  if (!row) throw new Error('The database returned no counts.');
  return row;
}

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
