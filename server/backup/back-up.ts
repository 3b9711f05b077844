import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { SCHEMA_NUMBER, migrate } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { StartError } from '#server/start-error.ts';

import { copyTables } from './copy.ts';
import { copyPhotos } from './copy-photos.ts';
import {
  closeWhole,
  databaseFile,
  makePrivateFolder,
  openForCopy,
  photoFolder,
} from './sources.ts';
import type { Stores } from './sources.ts';
import { writeSums } from './sums.ts';

/** A photo that is replaced while it is copied needs another look; thrice in a row, hardly. */
const LOOKS_MAX = 4;
const BUSY_TIMEOUT_MS = 60_000;

/** What a backup holds. */
export interface BackedUp {
  readonly photos: number;
  /** Files that cards name and that the photo store does not have. */
  readonly missing: readonly string[];
}

/**
 * Copies the database, as it is at one moment, and every photo that it names into an empty folder,
 * while the service runs. The database is a SQLite file whichever it came from.
 * Throws StartError with a sentence where that cannot be.
 */
export async function backUp(stores: Stores, folder: string): Promise<BackedUp> {
  await makePrivateFolder(folder);
  if ((await readdir(folder)).length > 0) {
    throw new StartError(`The folder ${folder} is not empty: name a new one.`);
  }
  const to = photoFolder(folder);
  for (let look = 1; ; look += 1) {
    await copyDatabase(stores, databaseFile(folder));
    const copy = openSqlite(databaseFile(folder));
    const { names, missing } = await copyPhotos(copy, stores.photos, to);
    await closeWhole(copy);
    // A photo replaced meanwhile is gone from the store; a newer copy of the row names the next.
    if (missing.length > 0 && look < LOOKS_MAX) continue;
    const kept = names.filter((name) => !missing.includes(name));
    const files = [basename(databaseFile(folder)), ...kept.map((name) => join('photos', name))];
    await writeSums(folder, files);
    return { photos: kept.length, missing };
  }
}

async function copyDatabase({ where, log }: Stores, file: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
  if (where.databaseUrl === '') return copySqlite(databaseFile(where.dataDir), file);
  const source = openForCopy(where.databaseUrl, log);
  const copy = openSqlite(file);
  await migrate(copy, 'sqlite');
  try {
    await source.transaction(async (inside) => {
      await inside.run('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY');
      const row = await inside.one<{ number: number }>(
        'SELECT MAX(number) AS number FROM migrations',
      );
      if (row?.number !== SCHEMA_NUMBER) {
        throw new StartError('The database is of another version of Tessera than this one.');
      }
      await copyTables(inside, copy);
    });
  } finally {
    await closeWhole(copy);
    await source.close();
  }
}

/** A copy as of one moment; the service goes on writing meanwhile. */
function copySqlite(from: string, to: string): void {
  if (!existsSync(from)) throw new StartError(`There is no database to back up: ${from}.`);
  const source = new DatabaseSync(from, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
}
