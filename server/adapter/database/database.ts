import { Sql } from './sql.ts';

export type { Value } from './sql.ts';

export interface CheckedStatement {
  readonly sql: Sql | string;
  readonly errorIfNoRow?: () => Error;
  readonly errorIfRow?: (rows: readonly unknown[]) => Error;
}

export type Statement = Sql | CheckedStatement;

/**
 * For portable SQL. A write that has returned is on disk, and a later read sees it. Methods throw
 * Unavailable.
 */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** Many rows are returned in a turn of the event loop of their own (pages.ts). */
  all<Row>(sql: Sql | string): Promise<Row[]>;
  one<Row>(sql: Sql | string): Promise<Row | null>;
  run(sql: Sql | string): Promise<number>;
  /**
   * One transaction, sent together, so it never waits for the caller. Returns the rows of each
   * statement.
   */
  batch<Row>(statements: readonly Statement[]): Promise<Row[][]>;
  /** For migrations and copies: with SQLite all other writes wait until it ends. */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>;
  script(sql: string): Promise<void>;
  close(): Promise<void>;
  /** Throws if the file is no longer one of SQLite, which answers queries from its cache. */
  checkFile?: () => Promise<void>;
  /** After a commit of another process, and a write that is stored after its UnknownResultError. */
  onUnseenChanges?: (listener: () => void) => void;
  pool?: () => { readonly total: number; readonly idle: number; readonly waiting: number };
}

export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
}

export class ReferenceRemoved extends Error {
  override readonly name = 'ReferenceRemoved';
}

/** For `catch`: throws another error in place of one of a kind. */
export const replaceError =
  (kind: abstract new (...args: never[]) => Error, toError: () => Error) =>
  (error: unknown): never => {
    throw error instanceof kind ? toError() : error;
  };

export function toChecked(statement: Statement): CheckedStatement {
  return statement instanceof Sql ? { sql: statement } : statement;
}

/**
 * Null if the batch continues. PostgreSQL runs the later statements before the rollback; SQLite
 * does not.
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

export class Busy extends Unavailable {
  constructor() {
    super(null, 'Too many people do this at once: not saved. Try again in a moment.');
  }
}

export class UnknownResultError extends Unavailable {
  constructor(cause: unknown) {
    super(
      cause,
      'The database did not confirm this: it is not known whether it was saved. Try again.',
    );
  }
}
