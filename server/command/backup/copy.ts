import { join } from 'node:path';

import type { Logger } from 'pino';

import type { Database, Value } from '#server/adapter/database/database.ts';
import { readPages } from '#server/adapter/database/database.ts';
import { fieldSql, joinSql, rawSql, sql, tableSql } from '#server/adapter/database/sql.ts';
import {
  logoFileNames,
  openPhotoFolder,
  photoFileNames,
  substituteFor,
} from '#server/adapter/storage/photo-store.ts';
import type { countSealed } from '#server/adapter/database/statistics.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';
import type { Settings } from '#server/settings/settings.ts';
import { StartError } from '#server/start-error.ts';

/** Is called before each piece of long work with what was done so far. Throws StartError to end the work. */
export type Step = (what: string, done: number) => void;

export interface Stores {
  readonly settings: Pick<Settings, 'dataDir' | 'databaseUrl'>;
  readonly photos: PhotoStore;
  readonly log: Logger;
  readonly print: (line: string) => void;
  readonly step: Step;
}

/** Says what a copy leaves out, before and after the work. Prints nothing if it leaves out nothing. */
export function printNotCopied(
  print: Stores['print'],
  { webhooks, subscriptions }: Awaited<ReturnType<typeof countSealed>>,
): void {
  if (webhooks + subscriptions > 0)
    print(
      `Not copied: ${webhooks} webhooks, which their owners connect again in 'Account and data', and ${subscriptions} subscriptions to notifications, which resume when an owner opens the dashboard.`,
    );
}

export const openPhotosIn = (folder: string) => openPhotoFolder(join(folder, 'photos'));

export const USERS = { name: 'users', key: 'id' } as const;
const APPEARANCES = { name: 'appearances', key: 'user_id' } as const;

/**
 * The tables that are copied. A table comes after those that it refers to, and each key is a text that is
 * not empty. Each database writes its own `migrations` and `seeds`. Notifications and webhooks are not
 * copied (docs/operate/restore.md). A test compares this list with the schema.
 */
export const TABLES = [
  USERS,
  APPEARANCES,
  { name: 'extras', key: 'user_id' },
  { name: 'faces', key: 'user_id' },
  { name: 'card_addresses', key: 'name' },
  { name: 'sessions', key: 'token_hash' },
  { name: 'passkeys', key: 'id' },
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

/** No backup contains these tables, because their rows must not outlive their day. */
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
  return new StartError(`Nothing was copied: ${target} is not empty. Choose an empty one.`);
}

export async function checkEmpty(database: Database): Promise<void> {
  for (const { name } of TABLES) {
    if (await database.one(`SELECT 1 AS found FROM ${name} LIMIT 1`))
      throw notEmptyError('the database');
  }
}

/**
 * Copies all tables, except for columns that only a newer version has. Throws StartError if the numbers of
 * rows differ.
 */
export async function copyTables(
  from: Database,
  to: Database,
  step: Step,
): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const existing = await tableNames(from);
  for (const table of TABLES) {
    // An older schema lacks some tables.
    if (!existing.has(table.name)) continue;
    const columns = await columnNames(table.name, to);
    let done = 0;
    // The next rows are read while these are written.
    let writing = Promise.resolve();
    for await (const rows of readBatches(table, from)) {
      await writing;
      step(table.name, done);
      writing = insert(table.name, { columns, rows }, to);
      writing.catch(() => undefined);
      done += rows.length;
    }
    await writing;
    const [source, copy] = [await countRows(table.name, from), await countRows(table.name, to)];
    if (source !== copy)
      throw new StartError(
        `Only ${copy} of ${source} rows of ${table.name} were copied, so nothing was kept. Try again.`,
      );
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
  const names = rawSql(columns.join(', '));
  const name = rawSql(table);
  // One bound value is several times faster than one for each cell.
  if (to.kind === 'postgres') {
    await to.run(sql`INSERT INTO ${name} (${names})
      SELECT ${names} FROM json_populate_recordset(NULL::${name}, ${JSON.stringify(rows)})`);
    return;
  }
  const values = rows.map((row) => columns.map((column) => row[column] ?? null));
  const cells = columns.map((_, index) => fieldSql(index));
  await to.run(sql`INSERT INTO ${name} (${names})
    SELECT ${joinSql(cells, ', ')} FROM ${tableSql(values)}`);
}

interface PhotoCopy extends Pick<Stores, 'step'> {
  readonly database: Database;
  readonly from: PhotoStore;
  readonly to: PhotoStore;
}

/** Skips files that the target already has, because a name contains a hash of the content. */
export async function copyPhotos({ database, from, to, step }: PhotoCopy) {
  const existing = new Set<string>();
  for await (const files of to.list()) for (const { name } of files) existing.add(name);
  const [copied, missing]: [string[], string[]] = [[], []];
  for await (const name of readFileNames(database)) {
    step('photo files', copied.length);
    const bytes = existing.has(name) ? null : await from.read(name);
    if (bytes !== null) await to.save([{ name, bytes }]);
    if (bytes !== null || existing.has(name)) copied.push(name);
    // Photos of earlier versions may have no large file.
    else if (substituteFor(name) === null) missing.push(name);
  }
  return { copied, missing };
}

export async function* readFileNames(database: Database): AsyncGenerator<string> {
  for await (const users of readBatches(USERS, database))
    for (const user of users) yield* photoFileNames(String(user['profile_photo']));
  // An older schema has no logos.
  if (!(await tableNames(database)).has(APPEARANCES.name)) return;
  for await (const rows of readBatches(APPEARANCES, database))
    for (const row of rows) yield* logoFileNames(String(row['logo']));
}
