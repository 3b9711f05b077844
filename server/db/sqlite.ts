import { DatabaseSync } from '@photostructure/sqlite';
import type { StatementSyncInstance } from '@photostructure/sqlite';

import { ApiError } from '#server/http/api-error.ts';

import type { Database, Value } from './database.ts';
import { UniqueViolation } from './database.ts';

// Waiting holds up the whole process, and only a tool from outside can be what it waits for.
const BUSY_TIMEOUT_MS = 1000;
const RETRY_AFTER_SECONDS = 2;
// Result codes (sqlite.org/rescode.html); the low byte is the primary one.
const PRIMARY_CODE = 0xff;
const SQLITE_CONSTRAINT_PRIMARYKEY = 1555;
const SQLITE_CONSTRAINT_UNIQUE = 2067;
const SQLITE_BUSY = 5;
const SQLITE_READONLY = 8;
const SQLITE_IOERR = 10;
const SQLITE_FULL = 13;
const SQLITE_CANTOPEN = 14;
const NOT_SAVED = new Set([
  SQLITE_BUSY,
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
]);

/**
 * The embedded database: one file with a write-ahead log, synced at each commit, so that what was
 * acknowledged survives a power cut. One connection; a transaction keeps others waiting.
 */
export function openSqlite(file: string): Database {
  const connection = new DatabaseSync(file, {
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
  });
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  const statements = new Map<string, StatementSyncInstance>();
  let turn: Promise<unknown> = Promise.resolve();

  function prepare(sql: string): StatementSyncInstance {
    const known = statements.get(sql);
    if (known) return known;
    const statement = connection.prepare(sql.replace(/\$(\d+)/g, '?$1'));
    statements.set(sql, statement);
    return statement;
  }

  const now: Database = {
    all: async <Row>(sql: string, values: readonly Value[] = []) =>
      guard(() => prepare(sql).all(...values) as Row[]),
    one: async <Row>(sql: string, values: readonly Value[] = []) =>
      guard(() => (prepare(sql).all(...values)[0] as Row | undefined) ?? null),
    run: async (sql, values = []) => guard(() => prepare(sql).run(...values).changes),
    script: async (sql) => guard(() => connection.exec(sql)),
    transaction: async (work) => work(now),
    close: async () => connection.close(),
  };

  /** Waits until no transaction is under way, and holds others off until `work` is done. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = turn.then(work, work);
    turn = mine.catch(() => undefined);
    return mine;
  }

  async function transact<T>(work: (database: Database) => Promise<T>): Promise<T> {
    guard(() => connection.exec('BEGIN IMMEDIATE'));
    try {
      const result = await work(now);
      guard(() => connection.exec('COMMIT'));
      return result;
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    all: (sql, values) => inTurn(() => now.all(sql, values)),
    one: (sql, values) => inTurn(() => now.one(sql, values)),
    run: (sql, values) => inTurn(() => now.run(sql, values)),
    script: (sql) => inTurn(() => now.script(sql)),
    transaction: (work) => inTurn(() => transact(work)),
    close: () => inTurn(() => now.close()),
  };
}

/** What SQLite says of those codes: the driver tells no code of what fails while rows are read. */
const CODE_BY_MESSAGE: readonly (readonly [string, number])[] = [
  ['UNIQUE constraint failed', SQLITE_CONSTRAINT_UNIQUE],
  ['database is locked', SQLITE_BUSY],
  ['attempt to write a readonly database', SQLITE_READONLY],
  ['disk I/O error', SQLITE_IOERR],
  ['database or disk is full', SQLITE_FULL],
  ['unable to open database file', SQLITE_CANTOPEN],
];

function codeOf(error: Error): number | null {
  if ('errcode' in error) return Number(error.errcode);
  if (!('code' in error) || error.code !== 'ERR_SQLITE_ERROR') return null;
  return CODE_BY_MESSAGE.find(([message]) => error.message.startsWith(message))?.[1] ?? null;
}

function guard<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw translate(error);
  }
}

function translate(error: unknown): unknown {
  const code = error instanceof Error ? codeOf(error) : null;
  if (!(error instanceof Error) || code === null) return error;
  if (code === SQLITE_CONSTRAINT_UNIQUE || code === SQLITE_CONSTRAINT_PRIMARYKEY) {
    return new UniqueViolation(error.message, { cause: error });
  }
  if (!NOT_SAVED.has(code & PRIMARY_CODE)) return error;
  return new ApiError('unavailable', 'The data store did not take this: not saved. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
