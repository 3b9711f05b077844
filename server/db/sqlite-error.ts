import { ReferenceRemoved, Unavailable, UniqueViolation } from './database.ts';

// Result codes (sqlite.org/rescode.html); the low byte is the primary one.
const PRIMARY_CODE = 0xff;
const SQLITE_CONSTRAINT_FOREIGNKEY = 787;
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

/**
 * SQLite's messages of these codes. The driver sets no code if a statement fails while rows are
 * read.
 */
const CODE_BY_MESSAGE: readonly (readonly [string, number])[] = [
  ['UNIQUE constraint failed', SQLITE_CONSTRAINT_UNIQUE],
  ['FOREIGN KEY constraint failed', SQLITE_CONSTRAINT_FOREIGNKEY],
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

/**
 * Returns UniqueViolation, ReferenceRemoved, Unavailable, or the same error if the
 * statement is wrong.
 */
export function toDatabaseError(error: unknown): unknown {
  const code = error instanceof Error ? codeOf(error) : null;
  if (!(error instanceof Error) || code === null) return error;
  if (code === SQLITE_CONSTRAINT_UNIQUE || code === SQLITE_CONSTRAINT_PRIMARYKEY) {
    return new UniqueViolation(error.message, { cause: error });
  }
  if (code === SQLITE_CONSTRAINT_FOREIGNKEY) {
    return new ReferenceRemoved(error.message, { cause: error });
  }
  return UNAVAILABLE_CODES.has(code & PRIMARY_CODE) ? new Unavailable(error) : error;
}
