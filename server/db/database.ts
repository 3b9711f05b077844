import { Sql } from './sql.ts';

export type { Value } from './sql.ts';

/** A statement with a check of its rows. A string has no values. */
export interface CheckedStatement {
  readonly sql: Sql | string;
  /** Rolls the batch back with this error if the statement returns no row. */
  readonly errorIfNoRow?: () => Error;
  /** Rolls the batch back with this error if the statement returns a row. */
  readonly errorIfRow?: (rows: readonly unknown[]) => Error;
}

/** A statement of a batch. */
export type Statement = Sql | CheckedStatement;

/**
 * SQLite or PostgreSQL. Statements are in SQL that both understand, written with the tag `sql`. A write
 * that has returned is on disk, and a later read sees it.
 * Every method throws Unavailable while the database cannot be reached or written.
 */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** Returns all rows. Many are returned in a turn of the event loop of their own (pages.ts). */
  all<Row>(sql: Sql | string): Promise<Row[]>;
  /** Returns the first row, or null for none. */
  one<Row>(sql: Sql | string): Promise<Row | null>;
  /** Returns the number of changed rows. */
  run(sql: Sql | string): Promise<number>;
  /**
   * Runs statements in one transaction and returns the rows of each. They are sent together, so the
   * transaction never waits for the caller. Throws the error of a statement that stops the batch.
   */
  batch<Row>(statements: readonly Statement[]): Promise<Row[][]>;
  /**
   * Runs `work` in a transaction, for migrations and copies: with SQLite all other writes wait until
   * it ends. `work` must use the database that is passed to it.
   */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Runs several statements, for migrations. */
  script(sql: string): Promise<void>;
  /** Finishes all writes and closes the connections. */
  close(): Promise<void>;
  /** Overwrites the remains of deleted rows in the files of SQLite. */
  eraseDeletedRows?: () => Promise<void>;
  /**
   * Throws if the file is no longer a SQLite database. A query would not notice, because SQLite
   * answers from its cache.
   */
  checkFile?: () => Promise<void>;
  /**
   * Calls the listener after a commit of another process, and after a write is stored although its caller
   * already has an UnknownResultError. Only for SQLite: PostgreSQL notifies its nodes of each change.
   */
  onUnseenChanges?: (listener: () => void) => void;
  /** Returns the numbers of connections and of waiting callers; only PostgreSQL has a pool. */
  pool?: () => { readonly total: number; readonly idle: number; readonly waiting: number };
}

/** The error for a row whose unique key exists already. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
}

/** The error for a row that refers to a removed one by a foreign key. */
export class ReferenceRemoved extends Error {
  override readonly name = 'ReferenceRemoved';
}

/** Returns a statement in the form with checks. */
export function toChecked(statement: Statement): CheckedStatement {
  return statement instanceof Sql ? { sql: statement } : statement;
}

/**
 * Returns the error with which a statement rolls its batch back; null if the batch continues.
 * PostgreSQL still runs the later statements of the batch before the rollback; SQLite does not.
 */
export function rollbackError(statement: Statement, rows: readonly unknown[]): Error | null {
  const { errorIfNoRow, errorIfRow } = toChecked(statement);
  return (rows.length === 0 ? errorIfNoRow?.() : errorIfRow?.(rows)) ?? null;
}

/** The error of a read or write while the database cannot be reached or written. */
export class Unavailable extends Error {
  override readonly name = 'Unavailable';

  constructor(cause: unknown, message = 'The database is not available: not saved. Try again.') {
    super(message, { cause });
  }
}

/** The error of a write that may be stored or not, because the database did not confirm it. */
export class UnknownResultError extends Unavailable {
  constructor(cause: unknown) {
    super(
      cause,
      'The database did not confirm this: it is not known whether it was saved. Try again.',
    );
  }
}
