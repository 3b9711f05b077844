import { existsSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';

import { MINUTE_MS } from '#domain/duration.ts';
import { SCHEMA_NUMBER, migrate } from '#server/db/migrate.ts';
import { StartError } from '#server/start-error.ts';

import { copyTables } from './copy-tables.ts';
import { copyPhotos } from './copy-photos.ts';
import {
  closeToOneFile,
  databaseFile,
  makePrivateFolder,
  openCopy,
  openPostgresForCopy,
  photoFolder,
} from './stores.ts';
import type { Stores } from './stores.ts';
import { writeChecksums } from './checksums.ts';

/** A photo can be replaced while it is copied. The copy is then repeated. */
const ATTEMPTS_MAX = 4;
const BUSY_TIMEOUT_MS = MINUTE_MS;

/** The content of a backup. */
export interface BackedUp {
  /** The number of photo files. */
  readonly photos: number;
  /** The files of cards that the photo store does not have. */
  readonly missing: readonly string[];
}

/**
 * Copies a snapshot of the database and the photos of all its cards into an empty folder. The
 * service can be running. The copy of the database is always a SQLite file.
 * Throws StartError if the folder is not empty or the database is missing or of another version.
 */
export async function backUp(stores: Stores, folder: string): Promise<BackedUp> {
  await makePrivateFolder(folder);
  if ((await readdir(folder)).length > 0) {
    throw new StartError(`The folder ${folder} is not empty: name a new one.`);
  }
  const to = photoFolder(folder);
  for (let attempt = 1; ; attempt += 1) {
    await copyDatabase(stores, databaseFile(folder));
    const copy = openCopy(databaseFile(folder));
    const { names, missing } = await copyPhotos(copy, stores.photos, to);
    await closeToOneFile(copy);
    // A replaced photo is no longer in the store; a newer copy of its row has the new name.
    if (missing.length > 0 && attempt < ATTEMPTS_MAX) continue;
    const copied = names.filter((name) => !missing.includes(name));
    const files = [basename(databaseFile(folder)), ...copied.map((name) => join('photos', name))];
    await writeChecksums(folder, files);
    return { photos: copied.length, missing };
  }
}

async function copyDatabase({ settings, log }: Stores, file: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm']) await rm(`${file}${suffix}`, { force: true });
  if (settings.databaseUrl === '') return copySqlite(databaseFile(settings.dataDir), file);
  const source = openPostgresForCopy(settings.databaseUrl, log);
  const copy = openCopy(file);
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
    await closeToOneFile(copy);
    await source.close();
  }
}

/** Copies a snapshot; the service can write at the same time. */
function copySqlite(from: string, to: string): void {
  if (!existsSync(from)) throw new StartError(`There is no database to back up: ${from}.`);
  const source = new DatabaseSync(from, { timeout: BUSY_TIMEOUT_MS, readOnly: true });
  try {
    source.prepare('VACUUM INTO ?').run(to);
  } finally {
    source.close();
  }
}
