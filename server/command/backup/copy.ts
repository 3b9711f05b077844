import type { Database, Value } from '#server/adapter/database/database.ts';
import { readPages } from '#server/adapter/database/pages.ts';
import { joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import {
  logoFileNames,
  photoFileNames,
  substituteFor,
} from '#server/adapter/storage/photo-store.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';
import { StartError } from '#server/start-error.ts';

export const USERS = { name: 'users', key: 'id' } as const;
const APPEARANCES = { name: 'appearances', key: 'user_id' } as const;

/**
 * The tables with user data. A referenced table precedes the tables that refer to it. Each key is a
 * non-empty text. `migrations` is not copied, because each database writes its own; `seeds` is not
 * copied either (server/adapter/data/secret.ts, server/adapter/database/statistics.ts), nor the tables of notifications (docs/backup.md#restore), nor the
 * hashes and salts of visitors, which end with their day. A test compares this list with the
 * schema.
 */
export const TABLES = [
  USERS,
  APPEARANCES,
  { name: 'extras', key: 'user_id' },
  { name: 'faces', key: 'user_id' },
  { name: 'card_addresses', key: 'name' },
  { name: 'sessions', key: 'token_hash' },
  { name: 'used_tokens', key: 'token_hash' },
  { name: 'challenges', key: 'id' },
  { name: 'exchange_tokens', key: 'token_hash' },
  { name: 'counters', key: 'key' },
  { name: 'contacts', key: 'id' },
  { name: 'notices', key: 'version' },
  { name: 'withdrawals', key: 'contact_id' },
  { name: 'visit_counts', key: 'id' },
  { name: 'deleted_contacts', key: 'id' },
  { name: 'removed_users', key: 'id_hash' },
  { name: 'removed_contacts', key: 'id' },
  { name: 'added_contacts', key: 'contact_id' },
  { name: 'templates', key: 'user_id' },
  { name: 'audit', key: 'id' },
  { name: 'invitations', key: 'phone' },
] as const;

/** The tables whose rows must not outlive their day, so that no backup contains them. */
export const DAILY_TABLES = ['visitor_hashes', 'visitor_salts'] as const;

type Row = Record<string, Value>;

const BATCH_SIZE = 500;

export async function tableNames(
  database: Pick<Database, 'kind' | 'all'>,
): Promise<ReadonlySet<string>> {
  const rows = await database.all<{ name: string }>(
    database.kind === 'postgres'
      ? 'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()'
      : "SELECT name FROM sqlite_master WHERE type = 'table'",
  );
  return new Set(rows.map(({ name }) => name));
}

async function columnNames(table: string, database: Database): Promise<readonly string[]> {
  const rows = await database.all<{ name: string }>(
    database.kind === 'postgres'
      ? sql`SELECT column_name AS name FROM information_schema.columns
          WHERE table_schema = current_schema() AND table_name = ${table}`
      : sql`SELECT name FROM pragma_table_info(${table})`,
  );
  return rows.map(({ name }) => name);
}

export function readBatches(
  table: { readonly name: string; readonly key: string },
  database: Pick<Database, 'all'>,
): AsyncGenerator<Row[]> {
  const [name, key] = [rawSql(table.name), rawSql(table.key)];
  const read = (last: Row | undefined) =>
    database.all<Row>(sql`SELECT * FROM ${name}
      WHERE ${key} > ${last?.[table.key] ?? ''} ORDER BY ${key} LIMIT ${BATCH_SIZE}`);
  return readPages(read, BATCH_SIZE);
}

export function notEmptyError(target: string): StartError {
  return new StartError(`Nothing was copied: ${target} is not empty. Use an empty target.`);
}

export async function checkEmpty(database: Database): Promise<void> {
  for (const { name } of TABLES) {
    if (await database.one(`SELECT 1 AS found FROM ${name} LIMIT 1`))
      throw notEmptyError('the database');
  }
}

/**
 * A column that a newer version has added is not copied. Throws StartError for another number of
 * rows.
 */
export async function copyTables(from: Database, to: Database): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const existing = await tableNames(from);
  for (const table of TABLES) {
    // An older schema does not have every table.
    if (!existing.has(table.name)) continue;
    const columns = await columnNames(table.name, to);
    for await (const rows of readBatches(table, from))
      await insert(table.name, { columns, rows }, to);
    const [source, copy] = [await countRows(table.name, from), await countRows(table.name, to)];
    if (source !== copy)
      throw new StartError(`${copy} of ${source} rows of ${table.name} were copied.`);
    counts.set(table.name, copy);
  }
  return counts;
}

async function countRows(table: string, database: Database): Promise<number> {
  const row = await database.one<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${table}`);
  return Number(row?.rows);
}

async function insert(
  table: string,
  { columns: known, rows }: { readonly columns: readonly string[]; readonly rows: readonly Row[] },
  to: Database,
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => known.includes(name));
  const tuples = rows.map((row) => {
    const values = columns.map((column) => row[column] ?? null);
    return sql`(${joinSql(values, ', ')})`;
  });
  await to.run(sql`INSERT INTO ${rawSql(table)} (${rawSql(columns.join(', '))})
    VALUES ${joinSql(tuples, ', ')}`);
}

/** A file that the target has is not compared: its name contains a hash of its content. */
export async function copyPhotos(database: Database, from: PhotoStore, to: PhotoStore) {
  const existing = new Set<string>();
  for await (const files of to.list()) for (const { name } of files) existing.add(name);
  const [copied, missing]: [string[], string[]] = [[], []];
  for await (const name of readFileNames(database)) {
    const bytes = existing.has(name) ? null : await from.read(name);
    if (bytes !== null) await to.save([{ name, bytes }]);
    if (bytes !== null || existing.has(name)) copied.push(name);
    // A photo of an earlier version may have no large file.
    else if (substituteFor(name) === null) missing.push(name);
  }
  return { copied, missing };
}

async function* readFileNames(database: Database): AsyncGenerator<string> {
  for await (const users of readBatches(USERS, database))
    for (const user of users) yield* photoFileNames(String(user['profile_photo']));
  // An older schema has none.
  if (!(await tableNames(database)).has(APPEARANCES.name)) return;
  for await (const rows of readBatches(APPEARANCES, database))
    for (const row of rows) yield* logoFileNames(String(row['logo']));
}
