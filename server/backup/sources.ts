import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from 'pino';

import type { Database } from '#server/db/database.ts';
import { openPostgres } from '#server/db/postgres.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { openPhotoFolder } from '#server/storage/folder.ts';
import type { PhotoStore } from '#server/storage/photo-store.ts';
import type { Settings } from '#server/settings.ts';
import { StartError } from '#server/start-error.ts';

/** Long enough for the largest database; a copy has no visitor who waits. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

export type Where = Pick<Settings, 'dataDir' | 'databaseUrl'>;

/** The embedded database's file in a data folder or a backup. */
export const databaseFile = (folder: string) => join(folder, 'tessera.sqlite');
export const photoFolder = (folder: string) => openPhotoFolder(join(folder, 'photos'));

/** A PostgreSQL for copying: one connection, all the time in the world. */
export function openForCopy(url: string, log: Logger): Database {
  return openPostgres(url, log, { timeoutMs: PATIENCE_MS, poolSize: 1 });
}

/** The service's database as it is, migrated or not; the service may be running. */
export function openDatabase({ dataDir, databaseUrl }: Where, log: Logger): Database {
  if (databaseUrl !== '') return openForCopy(databaseUrl, log);
  const file = databaseFile(dataDir);
  if (existsSync(file)) return openSqlite(file);
  throw new StartError(`There is no database: ${file}.`);
}

/** Closes a SQLite database that nobody else has open, so that one file holds all of it. */
export async function closeWhole(database: Database): Promise<void> {
  await database.script('PRAGMA journal_mode = DELETE');
  await database.close();
}

/** Makes a folder that only its owner can look into; what stands in it stays. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
}

/** What a command is given: where the service keeps things, and the log. */
export interface Stores {
  readonly where: Where;
  readonly photos: PhotoStore;
  readonly log: Logger;
}
