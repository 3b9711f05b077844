import type { Database } from './database.ts';

/** What a database contains, as numbers of rows, and its size. */
export interface DatabaseCounts {
  readonly users: number;
  readonly cards: number;
  readonly photos: number;
  readonly contacts: number;
  readonly bytes: number;
}

/** Counts what a database contains. Reads whole indexes. */
export async function readDatabaseCounts(database: Database): Promise<DatabaseCounts> {
  const size =
    database.kind === 'postgres'
      ? 'pg_database_size(current_database())'
      : '(SELECT page_count * page_size FROM pragma_page_count, pragma_page_size)';
  const row = await database.one<DatabaseCounts>(
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
