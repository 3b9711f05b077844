import { stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { Logger } from 'pino';

import { DAY_MS, SECOND_MS } from '#domain/duration.ts';
import { systemClock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { databaseFile, lockDataFolder } from '#server/db/data-folder.ts';
import { SCHEMA_VERSION, readNewestMigration } from '#server/db/migrate.ts';
import { openSqlite } from '#server/db/sqlite.ts';
import { openPhotoStore } from '#server/dependencies.ts';
import type { Settings } from '#server/settings.ts';
import { StartError, reasonOf } from '#server/start-error.ts';

import { runCommand } from './commands.ts';
import { AdminError } from './context.ts';
import { adminSocketPath, sendToService } from './socket.ts';
import type { AdminRequest } from './socket.ts';

/** The longest wait for the socket of a service that is starting: it locks the folder first. */
const START_TIMEOUT_MS = 3 * SECOND_MS;
const RETRY_MS = 100;
/** Enough for a search of the largest table. */
const STATEMENT_TIMEOUT_MS = DAY_MS;

/** The errors of a socket without a service. */
const NOT_RUNNING = new Set(['ENOENT', 'ECONNREFUSED']);

/**
 * Runs a command where the data is: with PostgreSQL in this process; with the embedded database in
 * the service that is running, or else in this process, which locks the data folder as the service
 * does. Throws AdminError.
 */
export async function execute(
  settings: Settings,
  request: AdminRequest,
  log: Logger,
): Promise<unknown> {
  if (settings.databaseUrl !== null) {
    // A dynamic import, for a faster start with the embedded database.
    const { openPostgres } = await import('#server/db/postgres.ts');
    const options = { timeoutMs: STATEMENT_TIMEOUT_MS, poolSize: 1, hasServerLimits: false };
    return runHere(openPostgres(settings.databaseUrl, log, options), { settings, request, log });
  }
  const end = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    try {
      return await sendToService(adminSocketPath(settings.dataDir), request);
    } catch (error) {
      if (error instanceof AdminError) throw error;
      if (!NOT_RUNNING.has(reasonOf(error))) throw notOpened(settings.dataDir, error);
    }
    const file = databaseFile(settings.dataDir);
    await checkFile(file);
    const unlock = lockUnlessRunning(settings.dataDir);
    if (unlock) return runHere(openSqlite(file), { settings, request, log }).finally(unlock);
    if (performance.now() > end) {
      throw new AdminError(
        `A Tessera is running on ${settings.dataDir} and has no socket: see its log.`,
      );
    }
    await delay(RETRY_MS);
  }
}

/** Locks the data folder; returns null while a service has the lock. */
function lockUnlessRunning(dataDir: string): (() => void) | null {
  try {
    return lockDataFolder(dataDir);
  } catch (error) {
    if (error instanceof StartError) return null;
    throw error;
  }
}

interface Execution {
  readonly settings: Settings;
  readonly request: AdminRequest;
  readonly log: Logger;
}

async function runHere(
  database: Database,
  { settings, request, log }: Execution,
): Promise<unknown> {
  try {
    await checkSchema(database);
    const context = {
      database,
      photos: openPhotoStore(settings),
      clock: systemClock,
      log,
      countries: settings.otpCountries,
      sessionDays: settings.sessionDays,
    };
    return await runCommand(context, request.name, request.input);
  } finally {
    await database.close();
  }
}

async function checkSchema(database: Database): Promise<void> {
  if ((await readNewestMigration(database)) === SCHEMA_VERSION) return;
  throw new AdminError(
    'The database is of another version of Tessera than this command. Start the service of this version first.',
  );
}

/**
 * Throws AdminError if the database does not exist or belongs to another user: this process would
 * create files next to it that the service could not open.
 */
async function checkFile(file: string): Promise<void> {
  const { uid } = await stat(file).catch((error: unknown) => {
    if (reasonOf(error) === 'ENOENT') throw new AdminError(`There is no database: ${file}.`);
    throw notOpened(file, error);
  });
  if (uid === process.getuid?.()) return;
  throw new AdminError(
    `${file} belongs to another user. Run this as the user of the service: sudo -u '#${uid}' …`,
  );
}

function notOpened(path: string, error: unknown): AdminError {
  return new AdminError(
    `${path} cannot be opened (${reasonOf(error)}). Run this as the user of the service.`,
  );
}
