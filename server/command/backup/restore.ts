import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';

import {
  databaseFile,
  lockDataFolder,
  moveDurably,
  removeDatabaseFiles,
} from '#server/adapter/database/data-folder.ts';
import { migrate } from '#server/adapter/database/migrate.ts';
import { closeToOneFile, openCopy, openSqlite } from '#server/adapter/database/sqlite.ts';
import { StartError } from '#server/start-error.ts';

import { verifyChecksums } from './checksums.ts';
import { checkEmpty, copyPhotos, copyTables, notEmptyError } from './copy.ts';
import { applyPresent } from './present.ts';
import type { Present, PresentOptions } from './present.ts';
import { explainUnavailable, openPostgresForCopy, openPhotosIn } from './stores.ts';
import type { Stores } from './stores.ts';

/**
 * The tables that are not restored: a session that its owner has ended, or a code that was used
 * after the backup, would be valid again. A subscription to notifications ends with its session.
 * Used tokens are restored, so that each still works only once.
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
 * Photos first, then the database in one step. What was removed since the backup comes back without
 * `present`, the database that it replaces.
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
    // The backup can be of an older version.
    await migrate(copy);
    for (const table of TABLES_NOT_RESTORED) await copy.run(`DELETE FROM ${table}`);
    const kept = present === null ? null : await applyPresent(copy, present, log);
    const restorePhotos = async () => {
      print('Copying the photos.');
      const { copied } = await copyPhotos(copy, openPhotosIn(folder), photos);
      print('Copying the database.');
      return copied.length;
    };
    if (settings.databaseUrl === null) {
      const restored = await restorePhotos();
      await closeToOneFile(copy);
      await moveDurably(temporary, file);
      return { photos: restored, present: kept };
    }
    const to = openPostgresForCopy(settings.databaseUrl, log);
    try {
      await migrate(to).catch(explainUnavailable);
      const restored = await to.transaction(async (transaction) => {
        await checkEmpty(transaction);
        const count = await restorePhotos();
        await copyTables(copy, transaction);
        return count;
      });
      return { photos: restored, present: kept };
    } finally {
      await to.close();
      await copy.close();
    }
  } finally {
    await removeDatabaseFiles(temporary);
    unlock();
  }
}

/** In one transaction. Returns the number of rows of each table. Throws StartError. */
export async function moveData({
  settings,
  log,
}: Pick<Stores, 'settings' | 'log'>): Promise<ReadonlyMap<string, number>> {
  if (settings.databaseUrl === null) {
    throw new StartError('DATABASE_URL is not set. Set it to the target PostgreSQL database.');
  }
  if (!existsSync(databaseFile(settings.dataDir))) {
    throw new StartError(`There is no embedded database in ${settings.dataDir} (DATA_DIR).`);
  }
  const unlock = lockDataFolder(settings.dataDir);
  const from = openSqlite(databaseFile(settings.dataDir));
  const to = openPostgresForCopy(settings.databaseUrl, log);
  try {
    await migrate(from);
    await migrate(to).catch(explainUnavailable);
    return await to.transaction(async (transaction) => {
      await checkEmpty(transaction);
      return copyTables(from, transaction);
    });
  } finally {
    await from.close();
    await to.close();
    unlock();
  }
}
