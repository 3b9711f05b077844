import { randomUUID } from 'node:crypto';
import { mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { MINUTE_MS } from '#domain/duration.ts';
import { StartError, reasonOf } from '#server/start-error.ts';

const SQLITE_BUSY = 5;
/** The alert TesseraCrashLoop looks back over the same 15 minutes (deploy/alerts.yaml). */
const REJECTED_START_MS = 15 * MINUTE_MS;

/** The end of the name of a file that is being written. */
export const UNFINISHED = '.part';

export const databaseFile = (folder: string) => join(folder, 'tessera.sqlite');

/**
 * Makes a folder and those above it, and returns whether it is new. Node's recursive mkdir never ends for
 * a folder that cannot be made, such as /proc/x.
 */
export async function makeFolder(path: string): Promise<boolean> {
  try {
    await mkdir(path, { mode: 0o700 });
    return true;
  } catch (error) {
    if (reasonOf(error) === 'EEXIST') return false;
    if (reasonOf(error) !== 'ENOENT' || dirname(path) === path) throw error;
  }
  await makeFolder(dirname(path));
  await mkdir(path, { mode: 0o700 });
  return true;
}

/** Writes a file, because access(2) does not notice that the kernel has made a disk read-only after an error. */
export async function tryWriteFile(folder: string): Promise<void> {
  const file = join(folder, `${randomUUID()}${UNFINISHED}`);
  await writeFile(file, '');
  await rm(file, { force: true });
}

export async function removeDatabaseFiles(file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
}

export async function moveDurably(from: string, to: string): Promise<void> {
  await sync(from);
  // SQLite would apply the log that an earlier file of this name has left.
  await removeDatabaseFiles(to);
  await rename(from, to);
  await sync(dirname(to));
}

export async function sync(path: string): Promise<void> {
  const handle = await open(path);
  await handle.sync().finally(() => handle.close());
}

interface LockOptions {
  readonly waitMs?: number;
  /** Nodes with PostgreSQL may share a folder with each other, but not with an embedded database. */
  readonly isShared?: boolean;
}

/**
 * Locks a data folder, and returns the function that unlocks it. Blocks this thread for up to `waitMs`, and
 * then throws StartError if another process still has the lock.
 */
export function lockDataFolder(
  dataDir: string,
  { waitMs = 0, isShared = false }: LockOptions = {},
): () => void {
  const lock = new DatabaseSync(join(dataDir, 'lock.sqlite'), { timeout: waitMs });
  try {
    lock.exec(
      isShared
        ? 'BEGIN; SELECT * FROM sqlite_schema'
        : 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE',
    );
    return () => lock.close();
  } catch (error) {
    lock.close();
    const isBusy = error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
    // A node with PostgreSQL also starts where the file system cannot lock.
    if (!isBusy && isShared) return () => undefined;
    if (!isBusy) throw error;
    throw new StartError(
      `Another Tessera is running on the data folder ${dataDir}. Stop it, or set DATA_DIR to another folder.`,
    );
  }
}

/** This file shows that a start was rejected because another process has the folder. */
export const rejectedStartFile = (dataDir: string) => join(dataDir, 'rejected-start');

/** Returns a sentence if a second process has tried to start on a folder in the last 15 minutes, and otherwise null. */
export async function findRejectedStart(dataDir: string, now: number): Promise<string | null> {
  const file = await stat(rejectedStartFile(dataDir)).catch(() => null);
  // If the clock was ahead at that start, the file's time lies in the future.
  if (file === null || Math.abs(now - file.mtimeMs) > REJECTED_START_MS) return null;
  return `A second Tessera has tried to start on the data folder ${dataDir}, which is in use.`;
}
