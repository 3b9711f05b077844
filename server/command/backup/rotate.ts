import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { SECOND_MS } from '#domain/duration.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';

import { backUp } from './back-up.ts';
import type { BackupResult } from './back-up.ts';
import { CHECKSUM_FILE } from './checksums.ts';
import type { Stores } from './stores.ts';

/** The name of a dated folder. Names sort by time (UTC). */
const NAME = /^tessera-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;
const ISO_SECONDS_LENGTH = 'yyyy-mm-ddThh:mm:ss'.length;

interface Rotation {
  /** The number of complete backups that remain. */
  readonly keep: number;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** A backup in a dated folder, and the state of the earlier ones. */
export interface RotationResult extends BackupResult {
  readonly folder: string;
  /** The names of the earlier backups that were removed. */
  readonly removed: readonly string[];
  /** The names of folders with interrupted backups. They are never removed. */
  readonly incomplete: readonly string[];
}

/**
 * Makes a backup in a new dated folder inside `parent`. After its success it removes the oldest
 * complete backups beyond `keep`. Folders without the name and the content of a backup are ignored.
 * Throws StartError as backUp does; then no earlier backup is removed.
 */
export async function backUpAndRotate(
  stores: Stores,
  parent: string,
  { keep, now }: Rotation,
): Promise<RotationResult> {
  const name = await freeName(parent, now);
  const folder = join(parent, name);
  const result = await backUp(stores, folder);
  const { complete, incomplete } = await findEarlier(parent, name);
  const removed = complete.slice(0, Math.max(0, complete.length + 1 - keep));
  for (const earlier of removed) await removeBackup(join(parent, earlier));
  return { ...result, folder, removed, incomplete };
}

/** Returns the name of this second, or of the first later one that no folder has. */
async function freeName(parent: string, now: number): Promise<string> {
  const names = new Set(await readdir(parent).catch(() => []));
  let time = now;
  while (names.has(folderName(time))) time += SECOND_MS;
  return folderName(time);
}

function folderName(now: number): string {
  const iso = new Date(now).toISOString().slice(0, ISO_SECONDS_LENGTH);
  return `tessera-${iso.replaceAll(':', '-')}Z`;
}

/** Returns the names of the other backups, the oldest first. */
async function findEarlier(parent: string, newest: string) {
  const entries = await readdir(parent, { withFileTypes: true });
  const names = entries
    // `isDirectory` is false for a symbolic link.
    .filter((entry) => entry.isDirectory() && NAME.test(entry.name) && entry.name !== newest)
    .map((entry) => entry.name)
    .toSorted();
  const complete: string[] = [];
  const incomplete: string[] = [];
  for (const name of names) {
    const files = await readdir(join(parent, name));
    if (!files.includes(CHECKSUM_FILE)) incomplete.push(name);
    else if (files.every((file) => isBackupFile(join(parent, name), file))) complete.push(name);
  }
  return { complete, incomplete };
}

function isBackupFile(folder: string, file: string): boolean {
  return ['photos', CHECKSUM_FILE].includes(file) || join(folder, file) === databaseFile(folder);
}

/** Removes the checksums first, so that an interrupted removal leaves no backup that looks complete. */
async function removeBackup(folder: string): Promise<void> {
  await rm(join(folder, CHECKSUM_FILE));
  await rm(folder, { recursive: true });
}
