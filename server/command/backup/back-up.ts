import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { databaseFile, removeDatabaseFiles } from '#server/adapter/database/data-folder.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { migrate, readSchemaVersion } from '#server/adapter/database/migrate.ts';
import { closeToOneFile, openCopy } from '#server/adapter/database/sqlite.ts';
import { StartError } from '#server/start-error.ts';

import { DAILY_TABLES, copyTablesOrThrow, tableNames } from './copy-tables.ts';
import { copyPhotos } from './copy-photos.ts';
import { withoutProgress } from './progress.ts';
import { copySnapshot } from './snapshot.ts';
import {
  explainUnavailable,
  makePrivateFolder,
  openPostgresForCopy,
  openPhotosIn,
} from './stores.ts';
import type { Stores } from './stores.ts';
import { writeChecksums } from './checksums.ts';

/** A photo can be replaced while it is copied. The copy is then repeated, but not for files that are lost. */
const ATTEMPTS_MAX = 4;

/** The content of a backup. */
export interface BackupResult {
  /** The number of photo files. */
  readonly photos: number;
  /** The files of cards that the photo store does not have. */
  readonly missing: readonly string[];
}

/**
 * Copies a snapshot of the database and the photos of all its cards into an empty folder. The
 * service can be running. The copy of the database is always a SQLite file.
 * The database can have an older schema; the copy has the same.
 * Throws StartError if the folder is not empty, the database is missing or of a newer version, or
 * the copy is different from it. After an error the folder is as it was before.
 */
export async function backUp(stores: Stores, folder: string): Promise<BackupResult> {
  const isNew = await makePrivateFolder(folder);
  if ((await readdir(folder)).length > 0) {
    throw new StartError(`The folder ${folder} is not empty: choose a new or empty folder.`);
  }
  try {
    return await copyAll(stores, folder);
  } catch (error) {
    const names = isNew ? [''] : await readdir(folder);
    for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
    throw error;
  }
}

async function copyAll(stores: Stores, folder: string): Promise<BackupResult> {
  const to = openPhotosIn(folder);
  const { runStep = withoutProgress } = stores;
  const lost = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    await copyDatabase(stores, databaseFile(folder));
    const copy = openCopy(databaseFile(folder));
    const { names, missing } = await copyPhotos(copy, { from: stores.photos, to, runStep });
    await closeToOneFile(copy);
    // The photo was replaced during the copy. The next copy of the database has the new name.
    if (missing.some((name) => !lost.has(name)) && attempt < ATTEMPTS_MAX) {
      for (const name of missing) lost.add(name);
      continue;
    }
    const copied = names.filter((name) => !missing.includes(name));
    const files = [basename(databaseFile(folder)), ...copied.map((name) => join('photos', name))];
    await writeChecksums(folder, files, runStep);
    return { photos: copied.length, missing };
  }
}

async function copyDatabase(
  { settings, log, runStep = withoutProgress }: Stores,
  file: string,
): Promise<void> {
  await removeDatabaseFiles(file);
  if (settings.databaseUrl === null) {
    const from = databaseFile(settings.dataDir);
    if (!existsSync(from)) throw new StartError(`There is no database to back up: ${from}.`);
    await copySnapshot({ from, to: file, runStep });
    const copy = openCopy(file);
    try {
      await readSchemaVersion(copy);
      const existing = await tableNames(copy);
      for (const name of DAILY_TABLES) {
        if (existing.has(name)) await copy.run(`DELETE FROM ${name}`);
      }
    } finally {
      await copy.close();
    }
    return;
  }
  const source = openPostgresForCopy(settings.databaseUrl, log);
  const copy = openCopy(file);
  try {
    const copyAllRows = async (transaction: Database) => {
      await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      await migrate(copy, await readSchemaVersion(transaction));
      const errorMessage = 'The backup does not match the database. It is incomplete.';
      await copyTablesOrThrow({ from: transaction, to: copy, runStep }, errorMessage);
    };
    await source.transaction(copyAllRows).catch(explainUnavailable);
  } finally {
    await closeToOneFile(copy);
    await source.close();
  }
}
