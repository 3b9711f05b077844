import { join } from 'node:path';

import type { Logger } from 'pino';

import { DAY_MS } from '#domain/duration.ts';
import { toStartError } from '#server/adapter/database/connect.ts';
import { Unavailable } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { openPostgres } from '#server/adapter/database/postgres.ts';
import { openPhotoFolder } from '#server/adapter/storage/folder.ts';
import type { PhotoStore } from '#server/adapter/storage/photo-store.ts';
import type { Settings } from '#server/settings/settings.ts';

/** Enough for the largest database. */
const COPY_TIMEOUT_MS = DAY_MS;

export interface Stores {
  readonly settings: Pick<Settings, 'dataDir' | 'databaseUrl'>;
  readonly photos: PhotoStore;
  readonly log: Logger;
  readonly print: (line: string) => void;
}

export const openPhotosIn = (folder: string) => openPhotoFolder(join(folder, 'photos'));

export function openPostgresForCopy(url: string, log: Logger): Database {
  const options = { timeoutMs: COPY_TIMEOUT_MS, poolSize: 1, hasServerLimits: false };
  return openPostgres(url, log, options);
}

export function explainUnavailable(error: unknown): never {
  throw error instanceof Unavailable ? toStartError(error) : error;
}
