import { ReferenceRemoved, Unavailable, UniqueViolation } from './database.ts';

// Messages of SQLite (sqlite.org/rescode.html). The driver sets no result code if a statement fails
// while rows are read.
const UNIQUE = /^UNIQUE constraint failed/;
const FOREIGN_KEY = /^FOREIGN KEY constraint failed/;
/** The disk, the file system or a lock. */
const UNAVAILABLE =
  /^(?:database is locked|attempt to write a readonly database|disk I\/O error|database or disk is full)|unable to open database file/;

/** Returns UniqueViolation, ReferenceRemoved, Unavailable, or the same error of a wrong statement. */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR'))
    return error;
  const { message } = error;
  if (UNIQUE.test(message)) return new UniqueViolation(message, { cause: error });
  if (FOREIGN_KEY.test(message)) return new ReferenceRemoved(message, { cause: error });
  return UNAVAILABLE.test(message) ? new Unavailable(error) : error;
}
