/** What a statement's `$1`, `$2`, … stand for. */
export type Value = string | number | null;

/**
 * A database, whichever it is. SQL is the portable part of SQLite's and PostgreSQL's, with
 * numbered parameters; every write that has returned is on disk.
 * Any call throws ApiError 'unavailable' while the database cannot be reached or written.
 */
export interface Database {
  /** Every row of the answer. */
  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** The first row, or null where there is none. */
  one<Row>(sql: string, values?: readonly Value[]): Promise<Row | null>;
  /** Runs a statement; gives back how many rows it changed. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
  /** All of `work` or nothing. `work` must use the database that it is given. */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Runs a script of several statements, as migrations are. */
  script(sql: string): Promise<void>;
  close(): Promise<void>;
  /** Where there is one: how many connections there are, and how many callers wait for one. */
  pool?: () => { readonly total: number; readonly idle: number; readonly waiting: number };
}

/** Whether an error says that a unique key was there already. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
}
