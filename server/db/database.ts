/** The value of a parameter `$1`, `$2`, … of a statement. */
export type Value = string | number | null;

/**
 * SQLite or PostgreSQL. Statements are in SQL that both understand, with numbered parameters. A write
 * that has returned is on disk.
 * Every method throws ApiError 'unavailable' while the database cannot be reached or written.
 */
export interface Database {
  /** Returns all rows. */
  all<Row>(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** Returns the first row, or null for none. */
  one<Row>(sql: string, values?: readonly Value[]): Promise<Row | null>;
  /** Returns the number of changed rows. */
  run(sql: string, values?: readonly Value[]): Promise<number>;
  /** Runs `work` in a transaction. `work` must use the database that is passed to it. */
  transaction<T>(work: (database: Database) => Promise<T>): Promise<T>;
  /** Runs several statements, for migrations. */
  script(sql: string): Promise<void>;
  close(): Promise<void>;
  /** Throws if the file of SQLite is not a database any more: its cache would still answer. */
  checkFile?: () => Promise<void>;
  /** Returns the numbers of connections and of waiting callers; only PostgreSQL has a pool. */
  pool?: () => { readonly total: number; readonly idle: number; readonly waiting: number };
}

/** A row with the same unique key exists. */
export class UniqueViolation extends Error {
  override readonly name = 'UniqueViolation';
}
