import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { toDamagedError } from '#server/adapter/database/connect.ts';
import {
  databaseFile,
  makeFolder,
  removeDatabaseFiles,
  tryWriteFile,
} from '#server/adapter/database/data-folder.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { migrate, readSchemaVersion } from '#server/adapter/database/migrate.ts';
import { readWholeFile } from '#server/adapter/database/statistics.ts';
import { closeToOneFile, openCopy } from '#server/adapter/database/sqlite.ts';
import { throwWithAdvice, withPostgres } from '#server/command/connect.ts';
import { StartError, reasonOf } from '#server/start-error.ts';

import { CHECKSUM_FILE, writeChecksums } from './checksums.ts';
import { DAILY_TABLES, copyPhotos, copyTables, openPhotosIn, tableNames } from './copy.ts';
import type { Stores } from './copy.ts';

/** If a photo is replaced while it is copied, everything is copied again. Lost files do not count. */
const ATTEMPTS_MAX = 4;
/** Matches the name of a dated folder. The names sort by their time in UTC. */
const DATED = /^tessera-\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}Z$/;

/**
 * Copies the data into an empty folder, even while the service runs. The database becomes a SQLite file of
 * the same schema. If it throws StartError, the folder is as it was before.
 */
export async function backUp(stores: Stores, folder: string) {
  const reject = (error: unknown) => {
    throw new StartError(
      `The folder ${folder} cannot be written (${reasonOf(error)}). Choose another one.`,
    );
  };
  const isNew = await makeFolder(folder).catch(reject);
  await tryWriteFile(folder).catch(reject);
  if ((await readdir(folder)).length > 0) {
    throw new StartError(`The folder ${folder} is not empty. Choose a new or empty folder.`);
  }
  try {
    return await copyAll(stores, folder);
  } catch (error) {
    const names = isNew ? [''] : await readdir(folder);
    for (const name of names) await rm(join(folder, name), { recursive: true, force: true });
    throw error;
  }
}

/** Makes a backup in a new dated folder of `parent`, then removes the oldest complete ones beyond `keep`. */
export async function backUpAndRemoveOlder(
  stores: Stores,
  parent: string,
  { keep, now }: { readonly keep: number; readonly now: Date },
) {
  const name = `tessera-${now.toISOString().slice(0, -'.000Z'.length).replaceAll(':', '-')}Z`;
  const folder = join(parent, name);
  const result = await backUp(stores, folder);
  const earlier = (await readdir(parent, { withFileTypes: true }))
    // `isDirectory` is false for a symbolic link.
    .filter((entry) => entry.isDirectory() && DATED.test(entry.name) && entry.name !== name)
    .map((entry) => entry.name)
    .filter((one) => existsSync(join(parent, one, CHECKSUM_FILE)))
    .toSorted();
  const removed = earlier.slice(0, Math.max(0, earlier.length + 1 - keep));
  for (const one of removed) {
    // The checksums go first, so that an interrupted removal leaves no backup that looks complete.
    await rm(join(parent, one, CHECKSUM_FILE));
    await rm(join(parent, one), { recursive: true });
  }
  return { ...result, folder, removed };
}

async function copyAll(stores: Stores, folder: string) {
  const { photos, print, step } = stores;
  const file = databaseFile(folder);
  const lost = new Set<string>();
  for (let attempt = 1; ; attempt += 1) {
    print('Copying the database.');
    await copyDatabase(stores, file);
    print('Copying the photos.');
    const copy = openCopy(file);
    const { copied, missing } = await copyPhotos({
      database: copy,
      from: photos,
      to: openPhotosIn(folder),
      step,
    });
    await closeToOneFile(copy);
    // If a photo was replaced during the copy, the next copy of the database has its new name.
    if (missing.some((name) => !lost.has(name)) && attempt < ATTEMPTS_MAX) {
      for (const name of missing) lost.add(name);
      continue;
    }
    print('Writing the checksums.');
    const files = [basename(file), ...copied.map((name) => join('photos', name))];
    await writeChecksums(folder, files, step);
    return { photos: copied.length, missing };
  }
}

async function copyDatabase({ settings, log, step }: Stores, file: string): Promise<void> {
  await removeDatabaseFiles(file);
  if (settings.databaseUrl === null) return copySqlite(databaseFile(settings.dataDir), file);
  const copy = openCopy(file);
  // The pages of the indexes, which are filled in no order, then stay in memory (128 MiB).
  await copy.script('PRAGMA cache_size = -131072');
  const copyAllRows = async (transaction: Database) => {
    await transaction.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    await migrate(copy, await readSchemaVersion(transaction));
    await copy.transaction((to) => copyTables(transaction, to, step));
  };
  return withPostgres(settings.databaseUrl, log, (source) =>
    source.transaction(copyAllRows).catch(throwWithAdvice),
  ).finally(() => closeToOneFile(copy));
}

async function copySqlite(from: string, to: string): Promise<void> {
  if (!existsSync(from))
    throw new StartError(
      `There is no database to back up: ${from}. Set DATA_DIR to the data folder of the service.`,
    );
  const result = await readWholeFile({ file: from, statement: 'VACUUM INTO ?' }, [to]);
  if (result !== 'ok') throw toDamagedError(new Error(result), from);
  const copy = openCopy(to);
  try {
    await readSchemaVersion(copy);
    const existing = await tableNames(copy);
    for (const name of DAILY_TABLES) if (existing.has(name)) await copy.run(`DELETE FROM ${name}`);
  } finally {
    await copy.close();
  }
}
