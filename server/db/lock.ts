import { DatabaseSync } from '@photostructure/sqlite';

// sqlite.org/rescode.html: another connection has the lock.
const SQLITE_BUSY = 5;

/**
 * Takes a data folder for this process, by the operating system's own file lock, which ends with
 * the process however it ends. Gives back what lets it go, or null where another process has it.
 */
export function lockFolder(file: string): (() => void) | null {
  const lock = new DatabaseSync(file, { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY) return null;
    throw error;
  }
}
