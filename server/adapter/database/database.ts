import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { Limiter } from '#server/http/limit.ts';

import { Sql, sql } from './sql.ts';

export type { Value } from './sql.ts';

export interface CheckedStatement {
  readonly sql: Sql | string;
  readonly errorIfNoRow?: () => Error;
  readonly errorIfRow?: (rows: readonly unknown[]) => Error;
}

export type Statement = Sql | CheckedStatement;

/**
 * A database for portable SQL. A write that has returned is on disk, and a later read sees it. The methods
 * throw Unavailable.
 */
export interface Database {
  readonly kind: 'sqlite' | 'postgres';
  /** Many rows are returned in a turn of the event loop of their own (`yieldAfterMany`). */
  all<Row>(sql: Sql | string): Promise<Row[]>;
  one<Row>(sql: Sql | string): Promise<Row | null>;
  run(sql: Sql | string): Promise<number>;
  /**
   * Runs statements in one transaction, and returns the rows of each. They are sent together, so the
   * transaction never waits for the caller.
   */
  batch<Row>(statements: readonly Statement[]): Promise<Row[][]>;
  /** Serves migrations and copies only, because with SQLite all other writes wait until it ends. */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>;
  script(sql: string): Promise<void>;
  close(): Promise<void>;
  /** Throws if the file is no longer a database. SQLite would still answer from its cache. */
  checkFile?: () => Promise<void>;
  /** Keeps the first damage of the stored data that a check or a statement has found. */
  readonly damage?: { found: string | null };
  /** Reports commits of other processes, and writes that are stored after their UnknownResultError. */
  onUnseenChanges?: (listener: () => void) => void;
  pool?: () => { readonly total: number; readonly idle: number; readonly waiting: number };
}

export class Damage {
  found: string | null = null;
  readonly #isDamage: (error: Error) => boolean;

  constructor(isDamage: (error: Error) => boolean) {
    this.#isDamage = isDamage;
  }

  note<Thrown>(error: Thrown): Thrown {
    if (error instanceof Error && this.#isDamage(error)) this.found ??= error.message;
    return error;
  }
}

export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
}

export class ReferenceRemoved extends Error {
  override readonly name = 'ReferenceRemoved';
}

/** Returns a handler for `catch` that replaces errors of one kind. */
export const replaceError =
  (kind: abstract new (...args: never[]) => Error, toError: () => Error) =>
  (error: unknown): never => {
    throw error instanceof kind ? toError() : error;
  };

export function toChecked(statement: Statement): CheckedStatement {
  return statement instanceof Sql ? { sql: statement } : statement;
}

/**
 * Returns the error that stops a batch after this statement, or null. PostgreSQL runs the later statements
 * before it rolls back, SQLite does not.
 */
export function rollbackError(statement: Statement, rows: readonly unknown[]): Error | null {
  const { errorIfNoRow, errorIfRow } = toChecked(statement);
  return (rows.length === 0 ? errorIfNoRow?.() : errorIfRow?.(rows)) ?? null;
}

const passed = new Error('Every statement has passed.');

/**
 * Runs statements and rolls them back. Throws the error by which one of them would stop its batch, so
 * that what cannot be rolled back is done only before a batch that will pass.
 */
export async function rehearse(
  database: Database,
  statements: readonly Statement[],
): Promise<void> {
  const stop = { sql: sql`SELECT 1`, errorIfRow: () => passed };
  await database.batch([...statements, stop]).catch((error: unknown) => {
    if (error !== passed) throw error;
  });
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

const WAITING_MAX = 1000;

/**
 * Returns a limiter that runs one task at a time for each key, so that the tasks of a key need one
 * connection. Writes of a row wait for each other anyway.
 */
export function createDatabaseLimiter(): Limiter {
  return new Limiter({
    runningMax: 1,
    waitingMax: WAITING_MAX,
    createError: () => new Busy(),
    failsAll: (error) => error instanceof Unavailable && !(error instanceof Busy),
  });
}

/** 25 contacts are read and written as vCards in 0.6 ms, and the longest in 1 ms. */
export const PAGE_SIZE = 25;
/** Short lists, such as the sessions of an owner, do not need to yield to the event loop. */
const ROWS_WITHOUT_YIELD_MAX = 20;

let lastYield: Promise<void> = Promise.resolve();

/** Resolves for one caller in each iteration of the event loop, so that large reads take turns. */
export function yieldInOrder(): Promise<void> {
  lastYield = lastYield.then(() => yieldToEventLoop());
  return lastYield;
}

export async function yieldAfterMany<Row>(rows: Promise<Row[]>): Promise<Row[]> {
  const result = await rows;
  if (result.length > ROWS_WITHOUT_YIELD_MAX) await yieldInOrder();
  return result;
}

/** Yields pages until one is short. `read` returns the first `size` rows after `last`. */
export async function* readPages<Row>(
  read: (last: Row | undefined) => Promise<Row[]>,
  size = PAGE_SIZE,
): AsyncGenerator<Row[]> {
  let last: Row | undefined;
  do {
    const rows = await read(last);
    if (rows.length > 0) yield rows;
    last = rows.length < size ? undefined : rows.at(-1);
  } while (last !== undefined);
}
