import { createHash } from 'node:crypto';

import type { Database, Value } from '#server/db/database.ts';

import { TABLES } from './tables.ts';
import type { Table } from './tables.ts';

const BATCH = 500;

type Row = Record<string, Value>;

/** What became of a table's rows. */
export interface Copied {
  readonly table: string;
  /** Rows that there were to copy. */
  readonly rows: number;
  /** Those that were not there yet. */
  readonly added: number;
  /** Those that are not there now as they are at the source: another row has their place. */
  readonly different: number;
  /** Of all rows as read at the source, and of the same rows as read back. */
  readonly sha256: string;
  readonly sha256Copied: string;
}

/**
 * Copies every row of every table that is not there yet and reads each one back. What is there is
 * never changed, so that it can be run again; stops after a table of which rows are different.
 */
export async function copyTables(from: Database, to: Database): Promise<Copied[]> {
  const reports: Copied[] = [];
  for (const table of TABLES) {
    const report = await copyTable(table, from, to);
    reports.push(report);
    if (report.different > 0) break;
  }
  return reports;
}

async function copyTable(table: Table, from: Database, to: Database): Promise<Copied> {
  const read = createHash('sha256');
  const readBack = createHash('sha256');
  const count = { rows: 0, added: 0, different: 0 };
  for await (const rows of batches(table, from)) {
    count.added += await insert(table, rows, to);
    const there = await find(table, rows, to);
    for (const row of rows) {
      const source = text(row);
      const copy = there.get(String(row[table.key])) ?? '';
      read.update(source);
      readBack.update(copy);
      if (source !== copy) count.different += 1;
    }
    count.rows += rows.length;
  }
  return {
    table: table.name,
    ...count,
    sha256: read.digest('hex'),
    sha256Copied: readBack.digest('hex'),
  };
}

/** A table's rows along its key, a batch at a time. */
export async function* batches({ name, key }: Table, database: Database): AsyncGenerator<Row[]> {
  let after: Value = '';
  for (;;) {
    const rows: Row[] = await database.all<Row>(
      `SELECT * FROM ${name} WHERE ${key} > $1 ORDER BY ${key} LIMIT ${BATCH}`,
      [after],
    );
    if (rows.length > 0) yield rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?.[key] ?? '';
  }
}

async function insert({ name }: Table, rows: readonly Row[], to: Database): Promise<number> {
  const columns = Object.keys(rows[0] ?? {});
  const places = rows.map(
    (_, at) =>
      `(${columns.map((__, column) => `$${at * columns.length + column + 1}`).join(', ')})`,
  );
  return to.run(
    `INSERT INTO ${name} (${columns.join(', ')}) VALUES ${places.join(', ')}
     ON CONFLICT DO NOTHING`,
    rows.flatMap((row) => columns.map((column) => row[column] ?? null)),
  );
}

/** The same rows as they are there, as text, by key. */
async function find({ name, key }: Table, rows: readonly Row[], there: Database) {
  const places = rows.map((_, at) => `$${at + 1}`);
  const found = await there.all<Row>(
    `SELECT * FROM ${name} WHERE ${key} IN (${places.join(', ')})`,
    rows.map((row) => row[key] ?? null),
  );
  return new Map(found.map((row) => [String(row[key]), text(row)]));
}

/** A row as text, whatever the order of its columns. */
function text(row: Row): string {
  const columns = Object.keys(row).toSorted();
  return `${JSON.stringify(columns.map((column) => [column, row[column]]))}\n`;
}
