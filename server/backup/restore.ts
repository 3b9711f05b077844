import { existsSync } from 'node:fs';
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { lockFolder } from '#server/db/lock.ts';
import { migrate } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { StartError } from '#server/start-error.ts';

import { copyTables } from './copy.ts';
import { copyPhotos } from './copy-photos.ts';
import { closeWhole, databaseFile, openForCopy, photoFolder } from './sources.ts';
import type { Stores } from './sources.ts';
import { checkSums } from './sums.ts';
import { TABLES } from './tables.ts';

/**
 * Puts a backup where there is nothing: an empty data folder, or an empty PostgreSQL database.
 * Photos first, then the database, all at once. Gives back how many photo files it put there.
 * Throws StartError with a sentence where something is there, or the backup is not whole.
 */
export async function restore(stores: Stores, folder: string): Promise<number> {
  await checkSums(folder);
  const { where, photos } = stores;
  await mkdir(where.dataDir, { recursive: true });
  const unlock = lockFolder(join(where.dataDir, 'lock.sqlite'));
  if (!unlock) throw new StartError(`A Tessera is running on ${where.dataDir}: stop it first.`);
  const draft = `${databaseFile(where.dataDir)}.part`;
  try {
    if (where.databaseUrl === '' && existsSync(databaseFile(where.dataDir))) refuse(where.dataDir);
    for await (const files of photos.list()) if (files.length > 0) refuse('the photo store');
    await rm(draft, { force: true });
    await copyFile(databaseFile(folder), draft);
    const copy = openSqlite(draft);
    // A backup of an older version is brought up to date on the way.
    await migrate(copy, 'sqlite');
    const putPhotos = () => copyPhotos(copy, photoFolder(folder), photos);
    if (where.databaseUrl === '') {
      const { added } = await putPhotos();
      await closeWhole(copy);
      await takePlace(draft, databaseFile(where.dataDir));
      return added;
    }
    return await intoPostgres(stores, copy, putPhotos);
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(`${draft}${end}`, { force: true });
    unlock();
  }
}

async function intoPostgres(
  { where, log }: Stores,
  copy: ReturnType<typeof openSqlite>,
  putPhotos: () => Promise<{ added: number }>,
): Promise<number> {
  const to = openForCopy(where.databaseUrl, log);
  try {
    await migrate(to, 'postgres');
    return await to.transaction(async (inside) => {
      for (const { name } of TABLES) {
        if (await inside.one(`SELECT 1 AS one FROM ${name} LIMIT 1`)) refuse('the database');
      }
      const { added } = await putPhotos();
      const reports = await copyTables(copy, inside);
      if (reports.some(({ different }) => different > 0)) {
        throw new StartError('The database did not keep every row as it is in the backup.');
      }
      return added;
    });
  } finally {
    await copy.close();
    await to.close();
  }
}

function refuse(what: string): never {
  throw new StartError(
    `Nothing was restored: ${what} is not empty. Restore only where nothing is.`,
  );
}

/** Closed, the draft is one file; it is on the disk before it has its name. */
async function takePlace(draft: string, place: string): Promise<void> {
  const file = await open(draft, 'r+');
  await file.sync();
  await file.close();
  await rename(draft, place);
}
