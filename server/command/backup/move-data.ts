import { existsSync } from 'node:fs';

import { databaseFile, lockDataFolder } from '#server/adapter/database/data-folder.ts';
import { migrate } from '#server/adapter/database/migrate.ts';
import { openSqlite } from '#server/adapter/database/sqlite.ts';
import { StartError } from '#server/start-error.ts';

import { copyTables } from './copy-tables.ts';
import type { CopiedTable } from './copy-tables.ts';
import { openPostgresForCopy } from './stores.ts';
import type { Stores } from './stores.ts';

/**
 * Copies all rows from the embedded database to PostgreSQL and reads them back. Rows of the source
 * and existing rows of PostgreSQL are not changed. Can be repeated, even after an interruption.
 * Throws StartError without a source or a target, or while the service is running.
 */
export async function moveData({ settings, log }: Omit<Stores, 'photos'>): Promise<CopiedTable[]> {
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
    await migrate(to);
    return await copyTables(from, to);
  } finally {
    await from.close();
    await to.close();
    unlock();
  }
}
