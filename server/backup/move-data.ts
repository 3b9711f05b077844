import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { lockFolder } from '#server/db/lock.ts';
import { migrate } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { StartError } from '#server/start-error.ts';

import { copyTables } from './copy.ts';
import type { Copied } from './copy.ts';
import { databaseFile, openForCopy } from './sources.ts';
import type { Stores } from './sources.ts';

/**
 * Copies everything from the embedded database to PostgreSQL and reads it back. The source stays as
 * it is; what is in PostgreSQL already is never changed. Can be run again, also after a cut.
 * Throws StartError with a sentence where it cannot.
 */
export async function moveData({ where, log }: Omit<Stores, 'photos'>): Promise<Copied[]> {
  if (where.databaseUrl === '') {
    throw new StartError('DATABASE_URL is not set: it says where the data is to go.');
  }
  if (!existsSync(databaseFile(where.dataDir))) {
    throw new StartError(`There is no embedded database in ${where.dataDir} (DATA_DIR).`);
  }
  const unlock = lockFolder(join(where.dataDir, 'lock.sqlite'));
  if (!unlock) throw new StartError(`A Tessera is running on ${where.dataDir}: stop it first.`);
  const from = openSqlite(databaseFile(where.dataDir));
  const to = openForCopy(where.databaseUrl, log);
  try {
    await migrate(from, 'sqlite');
    await migrate(to, 'postgres');
    return await copyTables(from, to);
  } finally {
    await from.close();
    await to.close();
    unlock();
  }
}
