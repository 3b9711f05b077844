import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { StartError } from '#server/environment/start-error.ts';

/** sqlite.org/rescode.html */
const SQLITE_BUSY = 5;

export const databaseFile = (folder: string) => join(folder, 'tessera.sqlite');

/**
 * Returns a function that unlocks the folder, as the operating system does if the process crashes.
 * Throws StartError if another process has the lock.
 */
export function lockDataFolder(dataDir: string): () => void {
  const lock = new DatabaseSync(join(dataDir, 'lock.sqlite'), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    return () => lock.close();
  } catch (error) {
    lock.close();
    if (!(error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY))
      throw error;
    throw new StartError(
      `Another Tessera is running on the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
    );
  }
}
