import { existsSync } from 'node:fs';
import { copyFile, mkdir } from 'node:fs/promises';

import {
  databaseFile,
  lockDataFolder,
  moveDurably,
  removeDatabaseFiles,
} from '#server/adapter/database/data-folder.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { migrate } from '#server/adapter/database/migrate.ts';
import { closeToOneFile, openCopy } from '#server/adapter/database/sqlite.ts';
import { StartError } from '#server/start-error.ts';

import { TABLES, copyTablesOrThrow, countRows } from './copy-tables.ts';
import { copyPhotos } from './copy-photos.ts';
import { applyPresent } from './present.ts';
import type { Present, PresentOptions } from './present.ts';
import { withoutProgress } from './progress.ts';
import type { RunStep } from './progress.ts';
import { explainUnavailable, openPostgresForCopy, openPhotosIn } from './stores.ts';
import type { Stores } from './stores.ts';
import { verifyChecksums } from './checksums.ts';

/**
 * The tables that are not restored: a session that its owner has ended, or a code that was used
 * after the backup, would be valid again. A subscription to notifications ends with its session.
 * Used tokens are restored, so that each still works only once.
 */
const TABLES_NOT_RESTORED = [
  'cdn_purges',
  'push_messages',
  'push_subscriptions',
  'sessions',
  'challenges',
  'exchange_tokens',
];

/**
 * Restores a backup into an empty data folder or an empty PostgreSQL database: photos first, then the
 * database in one step. Sessions are not restored: everybody signs in again. What was removed since
 * the backup comes back without `present`, the database that it replaces. Returns the number of restored
 * photo files. Throws StartError if the target is not empty, the backup is incomplete or damaged, or
 * `present` cannot be read.
 */
export async function restore(
  stores: Stores,
  folder: string,
  present: PresentOptions | null,
): Promise<{ photos: number; present: Present | null }> {
  const { settings, photos, runStep = withoutProgress } = stores;
  await verifyChecksums(folder, runStep);
  await mkdir(settings.dataDir, { recursive: true });
  const unlock = lockDataFolder(settings.dataDir);
  const temporary = `${databaseFile(settings.dataDir)}.part`;
  try {
    if (settings.databaseUrl === null && existsSync(databaseFile(settings.dataDir)))
      throwNotEmpty(settings.dataDir);
    for await (const files of photos.list()) if (files.length > 0) throwNotEmpty('the photo store');
    await removeDatabaseFiles(temporary);
    await copyFile(databaseFile(folder), temporary);
    const copy = openCopy(temporary);
    // The backup can be of an older version.
    await migrate(copy);
    for (const table of TABLES_NOT_RESTORED) await copy.run(`DELETE FROM ${table}`);
    const kept = present === null ? null : await applyPresent(copy, present, stores.log);
    const restorePhotos = () =>
      copyPhotos(copy, { from: openPhotosIn(folder), to: photos, runStep });
    if (settings.databaseUrl === null) {
      const { added } = await restorePhotos();
      const total = await countRows(copy);
      await runStep({ name: 'Database', total, unit: 'rows' }, async (add) => {
        await closeToOneFile(copy);
        await moveDurably(temporary, databaseFile(settings.dataDir));
        add(total);
      });
      return { photos: added, present: kept };
    }
    try {
      const to = openPostgresForCopy(settings.databaseUrl, stores.log);
      const restored = await restoreToPostgres(to, { copy, restorePhotos, runStep });
      return { photos: restored, present: kept };
    } finally {
      await copy.close();
    }
  } finally {
    await removeDatabaseFiles(temporary);
    unlock();
  }
}

interface RestoredCopy {
  readonly copy: Database;
  readonly restorePhotos: () => Promise<{ added: number }>;
  readonly runStep: RunStep;
}

async function restoreToPostgres(
  to: Database,
  { copy, restorePhotos, runStep }: RestoredCopy,
): Promise<number> {
  try {
    await migrate(to).catch(explainUnavailable);
    return await to.transaction(async (transaction) => {
      for (const { name } of TABLES) {
        if (await transaction.one(`SELECT 1 AS found FROM ${name} LIMIT 1`)) {
          throwNotEmpty('the database');
        }
      }
      const { added } = await restorePhotos();
      const errorMessage = 'The restored rows differ from the backup. Nothing was saved.';
      await copyTablesOrThrow({ from: copy, to: transaction, runStep }, errorMessage);
      return added;
    });
  } finally {
    await to.close();
  }
}

function throwNotEmpty(target: string): never {
  throw new StartError(`Nothing was restored: ${target} is not empty. Use an empty target.`);
}
