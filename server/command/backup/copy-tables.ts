import { createHash } from 'node:crypto';

import type { Database, Value } from '#server/adapter/database/database.ts';
import { joinSql, rawSql, sql } from '#server/adapter/database/sql.ts';
import { StartError } from '#server/start-error.ts';

import type { RunStep } from './progress.ts';

export const USERS = { name: 'users', key: 'id' } as const;
export const APPEARANCES = { name: 'appearances', key: 'user_id' } as const;

/**
 * The tables with user data. A referenced table precedes the tables that refer to it. Each key is a
 * non-empty text. `migrations` is not copied, because each database writes its own; `seeds` is not
 * copied either (server/adapter/data/secret.ts, server/adapter/database/backup-time.ts), nor the tables of notifications (docs/backup.md#restore), nor the
 * hashes and salts of visitors, which end with their day. A test compares this list with the
 * schema.
 */
export const TABLES = [
  USERS,
  APPEARANCES,
  { name: 'extras', key: 'user_id' },
  { name: 'faces', key: 'user_id' },
  { name: 'sessions', key: 'token_hash' },
  { name: 'used_tokens', key: 'token_hash' },
  { name: 'challenges', key: 'id' },
  { name: 'exchange_tokens', key: 'token_hash' },
  { name: 'counters', key: 'key' },
  { name: 'contacts', key: 'id' },
  { name: 'visit_counts', key: 'id' },
  { name: 'deleted_contacts', key: 'id' },
  { name: 'removed_users', key: 'id_hash' },
  { name: 'removed_contacts', key: 'id' },
  { name: 'audit', key: 'id' },
] as const;

/** The tables whose rows must not outlive their day, so that no backup contains them. */
export const DAILY_TABLES = ['visitor_hashes', 'visitor_salts'] as const;

type Table = (typeof TABLES)[number];
type Row = Record<string, Value>;

const BATCH_SIZE = 500;

/** The result of copying a table. */
export interface CopiedTable {
  readonly table: string;
  /** The rows of the source. */
  readonly rows: number;
  /** The rows that the target did not have. */
  readonly added: number;
  /** The rows for which the target has a different row with the same key. */
  readonly different: number;
  /** The hash of all rows of the source. */
  readonly sha256: string;
}

/** Returns the number of rows that `copyTables` copies. */
export async function countRows(database: Database): Promise<number> {
  const existing = await tableNames(database);
  let count = 0;
  for (const { name } of TABLES) {
    if (!existing.has(name)) continue;
    const row = await database.one<{ rows: number }>(`SELECT COUNT(*) AS rows FROM ${name}`);
    count += row?.rows ?? 0;
  }
  return count;
}

/**
 * Copies the missing rows of all tables and reads each row back. Existing rows are never changed, so
 * the copy can be repeated. Stops after a table with different rows. Calls `onRows` after each batch.
 */
export async function copyTables(
  from: Database,
  to: Database,
  onRows: (count: number) => void = () => undefined,
): Promise<CopiedTable[]> {
  const results: CopiedTable[] = [];
  const existing = await tableNames(from);
  for (const table of TABLES) {
    // An older schema does not have every table.
    if (!existing.has(table.name)) continue;
    const result = await copyTable(table, { from, to, onRows });
    results.push(result);
    if (result.different > 0) break;
  }
  return results;
}

/** Returns the names of the tables of a database. An older schema has fewer tables. */
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

interface CheckedCopy {
  readonly from: Database;
  readonly to: Database;
  readonly runStep: RunStep;
}

/** Copies all tables. Throws StartError with `message` if a row of the target is different. */
export async function copyTablesOrThrow(
  { from, to, runStep }: CheckedCopy,
  message: string,
): Promise<void> {
  const step = { name: 'Database', total: await countRows(from), unit: 'rows' };
  const results = await runStep(step, (add) => copyTables(from, to, add));
  if (results.some(({ different }) => different > 0)) throw new StartError(message);
}

interface Copy {
  readonly from: Database;
  readonly to: Database;
  readonly onRows: (count: number) => void;
}

async function copyTable(table: Table, { from, to, onRows }: Copy): Promise<CopiedTable> {
  const hash = createHash('sha256');
  const count = { rows: 0, added: 0, different: 0 };
  for await (const rows of readBatches(table, from)) {
    count.added += await insertMissing(table, rows, to);
    const copies = await readCopies(table, rows, to);
    for (const row of rows) {
      const source = rowText(row);
      hash.update(source);
      if (source !== copies.get(String(row[table.key]))) count.different += 1;
    }
    count.rows += rows.length;
    onRows(rows.length);
  }
  return { table: table.name, ...count, sha256: hash.digest('hex') };
}

/** Yields the rows of a table in batches, in the order of its key. */
export async function* readBatches(
  { name, key }: { readonly name: string; readonly key: string },
  database: Pick<Database, 'all'>,
): AsyncGenerator<Row[]> {
  let lastKey: Value = '';
  for (;;) {
    const rows: Row[] = await database.all<Row>(sql`SELECT * FROM ${rawSql(name)}
      WHERE ${rawSql(key)} > ${lastKey} ORDER BY ${rawSql(key)} LIMIT ${BATCH_SIZE}`);
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH_SIZE) return;
    lastKey = rows.at(-1)?.[key] ?? '';
  }
}

async function insertMissing({ name }: Table, rows: readonly Row[], to: Database): Promise<number> {
  const columns = Object.keys(rows[0] ?? {});
  const tuples = rows.map((row) => {
    const values = columns.map((column) => row[column] ?? null);
    return sql`(${joinSql(values, ', ')})`;
  });
  return to.run(sql`INSERT INTO ${rawSql(name)} (${rawSql(columns.join(', '))})
    VALUES ${joinSql(tuples, ', ')} ON CONFLICT DO NOTHING`);
}

/** Returns the target's rows with the same keys, as text by key. */
async function readCopies({ name, key }: Table, rows: readonly Row[], to: Database) {
  const keys = rows.map((row) => row[key] ?? null);
  const copies = await to.all<Row>(sql`SELECT * FROM ${rawSql(name)}
    WHERE ${rawSql(key)} IN (${joinSql(keys, ', ')})`);
  return new Map(copies.map((row) => [String(row[key]), rowText(row)]));
}

/** Returns a row as text that does not depend on the order of columns. */
function rowText(row: Row): string {
  const columns = Object.keys(row).toSorted();
  return `${JSON.stringify(columns.map((column) => [column, row[column]]))}\n`;
}
