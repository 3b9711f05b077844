import { open } from 'node:fs/promises';

import { DatabaseSync } from '@photostructure/sqlite';
import type { DatabaseSyncInstance, StatementSyncInstance } from '@photostructure/sqlite';
import { LRUCache } from 'lru-cache';

import { SECOND_MS } from '#domain/duration.ts';

import {
  Damage,
  ReferenceRemoved,
  Unavailable,
  UniqueViolation,
  rollbackError,
  toChecked,
  yieldAfterMany,
} from './database.ts';
import type { Database, Statement, Value } from './database.ts';
import { CLOSED, STATEMENTS_MAX, STATEMENT_LENGTH_MAX, SqliteWriter } from './sqlite-writer.ts';
import type { Command, Outcome, SendJob, WriterTimes } from './sqlite-writer.ts';
import type { Sql } from './sql.ts';

/** Short, because SQLite blocks its thread while it waits for a lock, which only other programs hold. */
const BUSY_TIMEOUT_MS = SECOND_MS;
/**
 * The limits of requests. A write may wait for the previous one too, and twice this time is less than a browser
 * waits (15 s).
 */
export const REQUEST_LIMITS = { writeTimeoutMs: 7 * SECOND_MS };
const EMPTY_LOG_EVERY_MS = 2 * SECOND_MS;

/** All other statements go to the writer, even WITH … SELECT. */
const READ = /^\s*SELECT\b/i;
// These match messages of SQLite (sqlite.org/rescode.html), because the driver sets no result code if a
// statement fails while rows are read.
const UNIQUE = /^UNIQUE constraint failed/;
const FOREIGN_KEY = /^FOREIGN KEY constraint failed/;
/** Matches errors of the disk, of the file system and of locks. */
const UNAVAILABLE =
  /^(?:database is locked|attempt to write a readonly database|disk I\/O error|database or disk is full)|unable to open database file/;

/** Matches the messages of SQLITE_CORRUPT and SQLITE_NOTADB. */
export const DAMAGED =
  /file is not a database|database disk image is malformed|malformed database schema/;

const HEADER = Buffer.from('SQLite format 3\0');

interface SqliteOptions extends Partial<WriterTimes> {
  readonly hasReader?: boolean;
}

type BoundStatement = Pick<Command, 'sql' | 'values'>;

type RunJob = (...job: readonly Command[]) => Promise<readonly unknown[]>;

/**
 * Opens a file with a write-ahead log, in which each commit is synced. Writes run in a thread, and reads in
 * this one. Without `hasReader` reads run in the writing thread too, so that the journal mode can change. Only
 * the service sets `writeTimeoutMs`: a copy, a migration or a command may write for minutes.
 */
export function openSqlite(
  file: string,
  {
    hasReader = true,
    busyTimeoutMs = BUSY_TIMEOUT_MS,
    writeTimeoutMs = null,
    emptyLogEveryMs = EMPTY_LOG_EVERY_MS,
  }: SqliteOptions = {},
): Database {
  const writer = new SqliteWriter(file, { busyTimeoutMs, writeTimeoutMs, emptyLogEveryMs });
  let reader: DatabaseSyncInstance | null = null;
  let isClosed = false;
  const damage = new Damage(({ message }) => DAMAGED.test(message));
  const prepared = new LRUCache<string, StatementSyncInstance>({ max: STATEMENTS_MAX });

  async function read<Row>({ sql, values }: BoundStatement): Promise<Row[]> {
    if (reader === null) await writer.ready;
    if (isClosed) throw new Error(CLOSED);
    try {
      reader ??= new DatabaseSync(file, { timeout: busyTimeoutMs, readOnly: true });
      const statement = prepared.get(sql) ?? reader.prepare(sql);
      if (sql.length <= STATEMENT_LENGTH_MAX) prepared.set(sql, statement);
      return statement.all(...values) as Row[];
    } catch (error) {
      throw toDatabaseError(damage.note(error));
    }
  }

  const writes = queryMethods(async (...job) => toResults(await writer.run(job), damage));
  const all = <Row>(sql: Sql | string) => {
    const bound = bind(sql);
    const isRead = hasReader && READ.test(bound.sql);
    return yieldAfterMany(isRead ? read<Row>(bound) : writes.all<Row>(sql));
  };
  return {
    kind: 'sqlite',
    onUnseenChanges: (listener) => {
      writer.onUnseenChanges = listener;
    },
    ...writes,
    all,
    one: async <Row>(sql: Sql | string) => (await all<Row>(sql))[0] ?? null,
    script: (sql) => writer.runExclusive((send) => queriesOf(send).script(sql)),
    transaction: (work) => writer.runExclusive((send) => runTransaction(queriesOf(send), work)),
    close: () =>
      writer.close(() => {
        isClosed = true;
        reader?.close();
      }),
    checkFile: () => checkHeader(file),
    damage,
  };
}

export const openCopy = (file: string) => openSqlite(file, { hasReader: false });

export async function closeToOneFile(copy: Database): Promise<void> {
  await copy.script('PRAGMA journal_mode = DELETE');
  await copy.close();
}

function queryMethods(run: RunJob) {
  const first = async <Result>(command: Command) => (await run(command))[0] as Result;
  const all = <Row>(sql: Sql | string) => first<Row[]>({ kind: 'rows', ...bind(sql) });
  return {
    all,
    one: async <Row>(sql: Sql | string) => (await all<Row>(sql))[0] ?? null,
    run: (sql: Sql | string) => first<number>({ kind: 'changes', ...bind(sql) }),
    batch: async <Row>(batch: readonly Statement[]) => {
      const results = (await run(...batch.map(toCommand))) as Row[][];
      // There are no results after the statement that has stopped the batch.
      const last = batch[results.length - 1];
      const error = last && rollbackError(last, results.at(-1) ?? []);
      if (error) throw error;
      return results;
    },
    script: async (sql: string) => void (await run({ kind: 'script', sql, values: [] })),
  };
}

/** Replaces the functions of a statement, because they cannot be sent to a thread. */
function toCommand(statement: Statement): Command {
  const { sql, errorIfNoRow, errorIfRow } = toChecked(statement);
  const stopsIf = errorIfNoRow ? 'no row' : errorIfRow && 'row';
  return { kind: 'rows', ...bind(sql), stopsIf };
}

function bind(statement: Sql | string): BoundStatement {
  if (typeof statement === 'string') return { sql: statement, values: [] };
  return { sql: statement.sql, values: statement.values as Value[] };
}

const queriesOf = (send: SendJob) => queryMethods(async (...job) => toResults(await send(job)));

async function runTransaction<T>(
  queries: ReturnType<typeof queryMethods>,
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const transaction: Database = {
    kind: 'sqlite',
    ...queries,
    transaction: (inner) => inner(transaction),
    close: async () => undefined,
  };
  await queries.script('BEGIN IMMEDIATE');
  try {
    const result = await work(transaction);
    await queries.script('COMMIT');
    return result;
  } catch (error) {
    // A full disk may have ended the transaction already.
    await queries.script('ROLLBACK').catch(() => undefined);
    throw error;
  }
}

function toResults(outcome: Outcome | undefined, damage?: Damage): readonly unknown[] {
  if (outcome?.results) return outcome.results;
  const { message = 'The writing thread sent no result.', code } = outcome?.failure ?? {};
  const error = Object.assign(new Error(message), { code });
  throw toDatabaseError(damage?.note(error) ?? error);
}

function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'))
    return error;
  const { message } = error;
  if (UNIQUE.test(message)) return new UniqueViolation(message, { cause: error });
  if (FOREIGN_KEY.test(message)) return new ReferenceRemoved(message, { cause: error });
  return UNAVAILABLE.test(message) ? new Unavailable(error) : error;
}

async function checkHeader(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
    if (!buffer.equals(HEADER)) throw new Error('The file is not a SQLite database.');
  } finally {
    await handle.close();
  }
}
