import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';

import type { Logger } from 'pino';

import {
  databaseFile,
  lockDataFolder,
  moveDurably,
  removeDatabaseFiles,
} from '#server/adapter/database/data-folder.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { migrate } from '#server/adapter/database/migrate.ts';
import { closeToOneFile, openCopy, openSqlite } from '#server/adapter/database/sqlite.ts';
import { explainUnavailable, withPostgres } from '#server/command/connect.ts';
import { StartError } from '#server/start-error.ts';

import { verifyChecksums } from './checksums.ts';
import { checkEmpty, copyPhotos, copyTables, notEmptyError, openPhotosIn } from './copy.ts';
import type { Stores } from './copy.ts';
import { applyPresent } from './present.ts';
import type { Present, PresentOptions } from './present.ts';

/**
 * These tables are emptied, because a session that its owner has ended, or a code that was used after the
 * backup, would be valid again. A subscription to notifications ends with its session. Used tokens are
 * restored, so that each still works only once.
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
];

/**
 * Restores the photos first, then the database in one step. `present` is the database that the backup
 * replaces. Without it, everything that was removed since the backup comes back.
 */
export async function restore(
  { settings, photos, log, print }: Stores,
  folder: string,
  present: PresentOptions | null,
): Promise<{ photos: number; present: Present | null }> {
  print('Checking the backup.');
  await verifyChecksums(folder);
  await mkdir(settings.dataDir, { recursive: true });
  const unlock = lockDataFolder(settings.dataDir);
  const file = databaseFile(settings.dataDir);
  const temporary = `${file}.part`;
  try {
    if (settings.databaseUrl === null && existsSync(file)) throw notEmptyError(settings.dataDir);
    for await (const files of photos.list())
      if (files.length > 0) throw notEmptyError('the photo store');
    await removeDatabaseFiles(temporary);
    await copyFile(databaseFile(folder), temporary);
    const copy = openCopy(temporary);
    // The backup may come from an older version.
    await migrate(copy);
    for (const table of TABLES_NOT_RESTORED) await copy.run(`DELETE FROM ${table}`);
    const kept = present === null ? null : await applyPresent(copy, present, log);
    let restored = 0;
    const restorePhotos = async () => {
      print('Copying the photos.');
      restored = (await copyPhotos(copy, openPhotosIn(folder), photos)).copied.length;
      print('Copying the database.');
    };
    if (settings.databaseUrl === null) {
      await restorePhotos();
      await closeToOneFile(copy);
      await moveDurably(temporary, file);
    } else
      await fillPostgres(settings.databaseUrl, log, async (to) => {
        await restorePhotos();
        await copyTables(copy, to);
      }).finally(() => copy.close());
    return { photos: restored, present: kept };
  } finally {
    await removeDatabaseFiles(temporary);
    unlock();
  }
}

/** Copies all rows in one transaction, and returns their number by table. Throws StartError. */
export async function moveData({ settings, log }: Stores) {
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
    await migrate(from);
    return await fillPostgres(settings.databaseUrl, log, (to) => copyTables(from, to));
  } finally {
    await from.close();
    unlock();
  }
}

/** Runs `fill` in one transaction on an empty database of the newest schema. */
function fillPostgres<Result>(url: string, log: Logger, fill: (to: Database) => Promise<Result>) {
  return withPostgres(url, log, async (database) => {
    await migrate(database).catch(explainUnavailable);
    return database.transaction(async (to) => {
      await checkEmpty(to);
      return fill(to);
    });
  });
}
