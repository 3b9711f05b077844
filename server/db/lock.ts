import { DatabaseSync } from '@photostructure/sqlite';

/** Another connection has the lock (sqlite.org/rescode.html). */
const SQLITE_BUSY = 5;

/**
 * Locks a data folder for this process. Returns a function that unlocks it, or null if another
 * process has the lock. The operating system releases its file lock when the process ends or crashes.
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
