import { stat } from 'node:fs/promises';

import type { Logger } from 'pino';

import { DAY_MS, SECOND_MS } from '#domain/duration.ts';
import { systemClock } from '#server/clock.ts';
import { toStartError } from '#server/adapter/database/connect.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { SCHEMA_VERSION, readSchemaVersion } from '#server/adapter/database/migrate.ts';
import { openSqlite } from '#server/adapter/database/sqlite.ts';
import { openPhotoStore } from '#server/dependencies.ts';
import type { Settings } from '#server/settings/settings.ts';
import { reasonOf } from '#server/start-error.ts';

import { AdminError } from './context.ts';
import type { AdminContext } from './context.ts';

/** Enough for a search of the largest table. */
const STATEMENT_TIMEOUT_MS = DAY_MS;
/** A write of the service and its sync take far less. */
const BUSY_TIMEOUT_MS = 10 * SECOND_MS;

interface Options extends Pick<AdminContext, 'log' | 'actor' | 'confirm' | 'fail'> {
  readonly settings: Settings;
  readonly log: Logger;
}

/**
 * The service notices the commit: by NOTIFY, or because the writing thread of SQLite looks for
 * commits of other processes.
 */
export async function withAdminContext<Result>(
  { settings, ...options }: Options,
  work: (context: AdminContext) => Promise<Result>,
): Promise<Result> {
  const database = await open(settings, options.log);
  try {
    await checkSchema(database);
    return await work({
      ...options,
      settings,
      database,
      // This process serves none; the service drops its own when it notices the commit.
      responses: { drop: () => undefined },
      photos: openPhotoStore(settings),
      clock: systemClock,
    });
  } finally {
    await database.close();
  }
}

async function open({ databaseUrl, dataDir }: Settings, log: Logger): Promise<Database> {
  if (databaseUrl !== null) {
    // A dynamic import, for a faster start with the embedded database.
    const { openPostgres } = await import('#server/adapter/database/postgres.ts');
    const options = { timeoutMs: STATEMENT_TIMEOUT_MS, poolSize: 1, hasServerLimits: false };
    return openPostgres(databaseUrl, log, options);
  }
  const file = databaseFile(dataDir);
  await checkFile(file);
  return openSqlite(file, {
    busyTimeoutMs: BUSY_TIMEOUT_MS,
    writeTimeoutMs: STATEMENT_TIMEOUT_MS,
  });
}

async function checkSchema(database: Database): Promise<void> {
  const schema = await readSchemaVersion(database).catch((error: unknown) => {
    throw database.kind === 'postgres' ? toStartError(error) : error;
  });
  if (schema === SCHEMA_VERSION) return;
  throw new AdminError(
    'The database is of another version of Tessera than this command. Start the service of this version first.',
  );
}

/**
 * This process would create files next to another user's database that the service could not open.
 */
async function checkFile(file: string): Promise<void> {
  const { uid } = await stat(file).catch((error: unknown) => {
    if (reasonOf(error) === 'ENOENT') throw new AdminError(`There is no database: ${file}.`);
    throw new AdminError(
      `${file} cannot be opened (${reasonOf(error)}). Run this as the user of the service.`,
    );
  });
  if (uid === process.getuid?.()) return;
  throw new AdminError(
    `${file} belongs to another user. Run this as the user of the service: sudo -u '#${uid}' …`,
  );
}
