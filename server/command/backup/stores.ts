import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import type { Logger } from 'pino';

import { DAY_MS } from '#domain/duration.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { toStartError } from '#server/adapter/database/connect.ts';
import { Unavailable } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { openSqlite } from '#server/adapter/database/sqlite.ts';
import { openPhotoFolder } from '#server/adapter/storage/folder.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';
import type { Settings } from '#server/settings/settings.ts';
import { StartError } from '#server/start-error.ts';

import type { RunStep } from './progress.ts';

/** Enough for the largest database. */
const COPY_TIMEOUT_MS = DAY_MS;

type DataSettings = Pick<Settings, 'dataDir' | 'databaseUrl'>;

/** The stores of the service, and the log of a command. */
export interface Stores {
  readonly settings: DataSettings;
  readonly photos: PhotoStore;
  readonly log: Logger;
  /** None is shown by default. */
  readonly runStep?: RunStep;
}

/** Opens the photos of a data folder or a backup. */
export const openPhotosIn = (folder: string) => openPhotoFolder(join(folder, 'photos'));

/** Opens a PostgreSQL database with one connection and a timeout for copies. */
export function openPostgresForCopy(url: string, log: Logger): Database {
  const options = { timeoutMs: COPY_TIMEOUT_MS, poolSize: 1, hasServerLimits: false };
  return openPostgres(url, log, options);
}

/** For a rejected promise: throws StartError with advice where PostgreSQL does not answer. */
export function explainUnavailable(error: unknown): never {
  throw error instanceof Unavailable ? toStartError(error) : error;
}

/** Opens the service's database without migrating it; the service can be running. */
export function openWithoutMigration(
  { dataDir, databaseUrl }: DataSettings,
  log: Logger,
): Database {
  if (databaseUrl !== null) return openPostgresForCopy(databaseUrl, log);
  const file = databaseFile(dataDir);
  if (existsSync(file)) return openSqlite(file);
  throw new StartError(`There is no database: ${file}.`);
}

/** Creates a folder that only its owner can read. Returns false if it existed. */
export async function makePrivateFolder(folder: string): Promise<boolean> {
  return (await mkdir(folder, { recursive: true, mode: 0o700 })) !== undefined;
}
