import { existsSync } from 'node:fs';
import { copyFile } from 'node:fs/promises';

import type { Logger } from 'pino';

import {
  databaseFile,
  lockDataFolder,
  makeFolder,
  moveDurably,
  removeDatabaseFiles,
  tryWriteFile,
} from '#server/adapter/database/data-folder.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { migrate } from '#server/adapter/database/migrate.ts';
import { countSealed } from '#server/adapter/database/statistics.ts';
import { closeToOneFile, openCopy, openSqlite } from '#server/adapter/database/sqlite.ts';
import { removePages } from '#server/adapter/storage/page-folder.ts';
import { throwWithAdvice, withPostgres } from '#server/command/connect.ts';
import { StartError, diskError } from '#server/start-error.ts';

import { verifyChecksums } from './checksums.ts';
import {
  checkEmpty,
  printNotCopied,
  copyPhotos,
  copyTables,
  notEmptyError,
  openPhotosIn,
  readFileNames,
} from './copy.ts';
import type { Stores } from './copy.ts';
import { applyPresent } from './present.ts';
import type { Present, PresentOptions } from './present.ts';

/**
 * These tables are emptied, because a session that its owner has ended, or a code that was used after the
 * backup, would be valid again. A subscription to notifications ends with its session, and a table
 * within the hour. Used tokens are restored, so that each still works only once.
 */
const TABLES_NOT_RESTORED = [
  'cdn_purges',
  'push_messages',
  'push_subscriptions',
  'webhook_deliveries',
  'webhook_messages',
  'webhooks',
  'sessions',
  'challenges',
  'exchange_tokens',
  'table_people',
  'shared_tables',
];

/**
 * Restores the photos first, then the database in one step. `present` is the database that the backup
 * replaces. Without it, everything that was removed since the backup comes back.
 */
export async function restore(
  stores: Stores,
  folder: string,
  present: PresentOptions | null,
): Promise<{ photos: number; present: Present | null }> {
  const { settings, photos, print, step } = stores;
  print('Checking the backup.');
  await verifyChecksums(folder, step);
  await makeFolder(settings.dataDir)
    .then(() => tryWriteFile(settings.dataDir))
    .catch((error: unknown) => {
      throw diskError(settings.dataDir, error);
    });
  const unlock = lockDataFolder(settings.dataDir);
  const file = databaseFile(settings.dataDir);
  const temporary = `${file}.part`;
  try {
    if (settings.databaseUrl === null && existsSync(file)) throw notEmptyError(settings.dataDir);
    for await (const files of photos.list())
      if (files.length > 0) throw notEmptyError('the photo store');
    await removePages(settings.dataDir);
    await removeDatabaseFiles(temporary);
    await copyFile(databaseFile(folder), temporary);
    const copy = openCopy(temporary);
    const { sealed, ...result } = await fillStores(stores, { copy, folder, present }).finally(() =>
      closeToOneFile(copy),
    );
    if (settings.databaseUrl === null) await moveDurably(temporary, file);
    printNotCopied(print, sealed);
    return result;
  } finally {
    await removeDatabaseFiles(temporary);
    unlock();
  }
}

interface Restoration {
  readonly copy: Database;
  readonly folder: string;
  readonly present: PresentOptions | null;
}

async function fillStores(
  { settings: { databaseUrl }, photos, log, print, step }: Stores,
  { copy, folder, present }: Restoration,
) {
  // The backup may come from an older version.
  await migrate(copy);
  const sealed = await countSealed(copy);
  printNotCopied(print, sealed);
  print('Everybody signs in again.');
  for (const table of TABLES_NOT_RESTORED) await copy.run(`DELETE FROM ${table}`);
  // The clock has not jumped since the last cleanup of an old backup.
  await copy.run("DELETE FROM seeds WHERE name = 'cleanup'");
  const kept = present === null ? null : await applyPresent(copy, present, log);
  // Without the present database it is not known which passkeys were removed.
  if (kept === null) await copy.run('DELETE FROM passkeys');
  const from = openPhotosIn(folder);
  const fill = async (copyRows?: () => Promise<unknown>) => {
    try {
      print('Copying the photos.');
      const { copied } = await copyPhotos({ database: copy, from, to: photos, step });
      print('Copying the database.');
      await copyRows?.();
      return { photos: copied.length, present: kept, sealed };
    } catch (error) {
      // The next attempt needs an empty store.
      for await (const name of readFileNames(copy)) await photos.remove([name]);
      throw error;
    }
  };
  if (databaseUrl === null) return fill();
  return fillPostgres(databaseUrl, log, (to) => fill(() => copyTables(copy, to, step)));
}

/** Copies all rows in one transaction, and returns their number by table. Throws StartError. */
export async function moveData({ settings, log, print, step }: Stores) {
  if (settings.databaseUrl === null) {
    throw new StartError('DATABASE_URL is not set. Set it to the target PostgreSQL database.');
  }
  if (!existsSync(databaseFile(settings.dataDir))) {
    throw new StartError(
      `There is no embedded database in ${settings.dataDir}. Set DATA_DIR to the folder that has it.`,
    );
  }
  const unlock = lockDataFolder(settings.dataDir);
  const from = openSqlite(databaseFile(settings.dataDir));
  try {
    await removePages(settings.dataDir);
    await migrate(from);
    const sealed = await countSealed(from);
    printNotCopied(print, sealed);
    const counts = await fillPostgres(settings.databaseUrl, log, (to) =>
      copyTables(from, to, step),
    );
    printNotCopied(print, sealed);
    return counts;
  } finally {
    await from.close();
    unlock();
  }
}

/** Runs `fill` in one transaction on an empty database of the newest schema. */
function fillPostgres<Result>(url: string, log: Logger, fill: (to: Database) => Promise<Result>) {
  return withPostgres(url, log, async (database) => {
    await migrate(database).catch(throwWithAdvice);
    return database.transaction(async (to) => {
      await checkEmpty(to);
      return fill(to);
    });
  });
}
