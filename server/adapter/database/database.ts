import { Sql } from './sql.ts';

export type { Value } from './sql.ts';

/** A statement that rolls its batch back with an error for no row, or for a row. */
export interface CheckedStatement {
  readonly sql: Sql | string;
  readonly errorIfNoRow?: () => Error;
  readonly errorIfRow?: (rows: readonly unknown[]) => Error;
}

export type Statement = Sql | CheckedStatement;

/**
 * SQLite or PostgreSQL, for statements that both understand. A write that has returned is on disk, and
 * a later read sees it. Methods throw Unavailable while the database cannot be reached or written.
 */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** Many rows are returned in a turn of the event loop of their own (pages.ts). */
  all<Row>(sql: Sql | string): Promise<Row[]>;
  one<Row>(sql: Sql | string): Promise<Row | null>;
  /** Returns the number of changed rows. */
  run(sql: Sql | string): Promise<number>;
  /**
   * Runs statements in one transaction and returns the rows of each. They are sent together, so the
   * transaction never waits for the caller.
   */
  batch<Row>(statements: readonly Statement[]): Promise<Row[][]>;
  /** For migrations and copies: with SQLite all other writes wait until it ends. */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Runs a text of several statements. */
  script(sql: string): Promise<void>;
  /** Finishes all writes first. */
  close(): Promise<void>;
  /** Throws if the file is no longer one of SQLite, which answers queries from its cache. */
  checkFile?: () => Promise<void>;
  /**
   * Calls the listener after a commit of another process, and after a write is stored although its
   * caller has an UnknownResultError. PostgreSQL notifies its nodes of each change instead.
   */
  onUnseenChanges?: (listener: () => void) => void;
  /** The numbers of connections and of waiting callers; only PostgreSQL has a pool. */
  pool?: () => { readonly total: number; readonly idle: number; readonly waiting: number };
}

export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
}

/** A row refers to a removed one by a foreign key. */
export class ReferenceRemoved extends Error {
  override readonly name = 'ReferenceRemoved';
}

export function toChecked(statement: Statement): CheckedStatement {
  return statement instanceof Sql ? { sql: statement } : statement;
}

/**
 * The error with which a statement rolls its batch back; null if the batch continues. PostgreSQL runs
 * the later statements of the batch before the rollback; SQLite does not.
 */
export function rollbackError(statement: Statement, rows: readonly unknown[]): Error | null {
  const { errorIfNoRow, errorIfRow } = toChecked(statement);
  return (rows.length === 0 ? errorIfNoRow?.() : errorIfRow?.(rows)) ?? null;
}

export class Unavailable extends Error {
  override readonly name = 'Unavailable';

  constructor(cause: unknown, message = 'The database is not available: not saved. Try again.') {
    super(message, { cause });
  }
}

/** Too many calls wait for the same row. The database itself is available. */
export class Busy extends Unavailable {
  constructor() {
    super(null, 'Too many people do this at once: not saved. Try again in a moment.');
  }
}

/** The database did not confirm a write, which may be stored or not. */
export class UnknownResultError extends Unavailable {
  constructor(cause: unknown) {
    super(
      cause,
      'The database did not confirm this: it is not known whether it was saved. Try again.',
    );
  }
}
