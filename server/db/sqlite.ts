import { open } from 'node:fs/promises';
import { setImmediate } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';
import type { StatementSyncInstance } from '@photostructure/sqlite';

import { SECOND_MS } from '#domain/duration.ts';
import { ApiError } from '#server/http/api-error.ts';

import type { Database, Value } from './database.ts';
import { UniqueViolation } from './database.ts';

/** SQLite blocks the event loop while it waits for a lock. Only external tools hold one. */
const BUSY_TIMEOUT_MS = SECOND_MS;
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
/** The codes of a write that failed because of the disk, the file system or a lock. */
const UNAVAILABLE_CODES = new Set([
  SQLITE_BUSY,
  SQLITE_READONLY,
  SQLITE_IOERR,
  SQLITE_FULL,
  SQLITE_CANTOPEN,
]);

const HEADER = Buffer.from('SQLite format 3\0');

/**
 * Opens the embedded database: one file with a write-ahead log. Each commit is synced, so that
 * acknowledged writes survive a power cut. There is one connection, with a mutex: other statements
 * wait until a transaction ends.
 */
export function openSqlite(file: string): Database {
  const connection = new DatabaseSync(file, {
    timeout: BUSY_TIMEOUT_MS,
    enableForeignKeyConstraints: true,
  });
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;');
  const statements = new Map<string, StatementSyncInstance>();
  let last: Promise<unknown> = Promise.resolve();

  function prepare(sql: string): StatementSyncInstance {
    const cached = statements.get(sql);
    if (cached) return cached;
    const statement = connection.prepare(sql.replace(/\$(\d+)/g, '?$1'));
    statements.set(sql, statement);
    return statement;
  }

  const unlocked: Database = {
    all: async <Row>(sql: string, values: readonly Value[] = []) =>
      translateErrors(() => prepare(sql).all(...values) as Row[]),
    one: async <Row>(sql: string, values: readonly Value[] = []) =>
      translateErrors(() => (prepare(sql).all(...values)[0] as Row | undefined) ?? null),
    run: async (sql, values = []) => translateErrors(() => prepare(sql).run(...values).changes),
    script: async (sql) => translateErrors(() => connection.exec(sql)),
    transaction: async (work) => work(unlocked),
    close: async () => connection.close(),
  };

  /** The mutex: runs `work` after the previous one has finished. */
  function runExclusive<T>(work: () => Promise<T>, afterwards = async () => {}): Promise<T> {
    const result = last.then(work, work);
    last = result.then(afterwards, afterwards);
    return result;
  }

  /**
   * A commit blocks the event loop until the disk has it. The pause after it lets the event loop
   * serve other requests before the next commit.
   */
  function runWrite<T>(work: () => Promise<T>): Promise<T> {
    return runExclusive(work, () => setImmediate());
  }

  async function runTransaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    translateErrors(() => connection.exec('BEGIN IMMEDIATE'));
    try {
      const result = await work(unlocked);
      translateErrors(() => connection.exec('COMMIT'));
      return result;
    } catch (error) {
      if (connection.isTransaction) connection.exec('ROLLBACK');
      throw error;
    }
  }

  return {
    all: (sql, values) => runExclusive(() => unlocked.all(sql, values)),
    one: (sql, values) => runExclusive(() => unlocked.one(sql, values)),
    run: (sql, values) => runWrite(() => unlocked.run(sql, values)),
    script: (sql) => runExclusive(() => unlocked.script(sql)),
    transaction: (work) => runWrite(() => runTransaction(work)),
    close: () => runExclusive(() => unlocked.close()),
    checkFile: () => checkHeader(file),
  };
}

/** Throws unless a file begins like a database (sqlite.org/fileformat.html). */
async function checkHeader(file: string): Promise<void> {
  const handle = await open(file, 'r');
  try {
    const { buffer } = await handle.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0);
    if (!buffer.equals(HEADER)) throw new Error('The file is not a SQLite database.');
  } finally {
    await handle.close();
  }
}

/** SQLite's messages of these codes. The driver sets no code if a statement fails while rows are read. */
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

function translateErrors<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toDatabaseError(error);
  }
}

/** Returns UniqueViolation, ApiError 'unavailable', or the error itself if it is a bug of a statement. */
function toDatabaseError(error: unknown): unknown {
  const code = error instanceof Error ? codeOf(error) : null;
  if (!(error instanceof Error) || code === null) return error;
  if (code === SQLITE_CONSTRAINT_UNIQUE || code === SQLITE_CONSTRAINT_PRIMARYKEY) {
    return new UniqueViolation(error.message, { cause: error });
  }
  if (!UNAVAILABLE_CODES.has(code & PRIMARY_CODE)) return error;
  return new ApiError('unavailable', 'The data store did not take this: not saved. Try again.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause: error,
  });
}
