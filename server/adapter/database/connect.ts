import { rm, stat, writeFile } from 'node:fs/promises';

import type { Logger } from 'pino';

import { SECOND_MS } from '#domain/duration.ts';
import type { Settings } from '#server/settings/settings.ts';
import { StartError, reasonOf } from '#server/start-error.ts';

import {
  databaseFile,
  lockDataFolder,
  moveDurably,
  rejectedStartFile,
  removeDatabaseFiles,
} from './data-folder.ts';
import { Unavailable } from './database.ts';
import type { Database } from './database.ts';
import { MIGRATION_TIMEOUT_MS, migrate } from './migrate.ts';
import { REQUEST_LIMITS, closeToOneFile, DAMAGED, openCopy, openSqlite } from './sqlite.ts';

type DatabaseSettings = Pick<Settings, 'databaseUrl' | 'databasePoolSize' | 'dataDir'>;

/** The previous process may still be closing the database. */
const LOCK_WAIT_MS = 10 * SECOND_MS;

export async function openDatabase(settings: DatabaseSettings, log: Logger): Promise<Database> {
  const unlock = await lockForService(settings);
  try {
    const database = await openLocked(settings, log);
    return { ...database, close: () => database.close().finally(unlock) };
  } catch (error) {
    unlock();
    throw error;
  }
}

async function openLocked(settings: DatabaseSettings, log: Logger): Promise<Database> {
  if (settings.databaseUrl !== null) {
    const { openPostgres } = await importPostgres();
    return openPostgres(settings.databaseUrl, log, { poolSize: settings.databasePoolSize });
  }
  const file = databaseFile(settings.dataDir);
  await createIfMissing(file);
  return openSqlite(file, REQUEST_LIMITS);
}

async function lockForService({ dataDir, databaseUrl }: DatabaseSettings): Promise<() => void> {
  const rejectedStart = rejectedStartFile(dataDir);
  try {
    const unlock = lockDataFolder(dataDir, {
      waitMs: LOCK_WAIT_MS,
      isShared: databaseUrl !== null,
    });
    await rm(rejectedStart, { force: true });
    return unlock;
  } catch (error) {
    if (error instanceof StartError) await writeFile(rejectedStart, '').catch(() => undefined);
    throw error;
  }
}

/** Gives the database its name when it is complete, so that a killed first start leaves none. */
async function createIfMissing(file: string): Promise<void> {
  const status = await stat(file).catch(() => null);
  if (status?.size === 0)
    throw new StartError(
      `DATA_DIR: ${file} is empty, so its data is lost. Restore a backup (docs/operate/restore.md), or delete the file to start with an empty database.`,
    );
  if (status !== null) return;
  const temporary = `${file}.new`;
  await removeDatabaseFiles(temporary);
  const database = openCopy(temporary);
  try {
    await migrate(database);
  } finally {
    await closeToOneFile(database);
  }
  await moveDurably(temporary, file);
}

export async function migrateDatabase(
  database: Database,
  { databaseUrl, dataDir }: Pick<DatabaseSettings, 'databaseUrl' | 'dataDir'>,
  log: Logger,
): Promise<void> {
  if (databaseUrl === null) {
    return migrate(database).catch((error: unknown) => {
      throw toDamagedError(error, databaseFile(dataDir));
    });
  }
  const { openPostgres } = await importPostgres();
  const migrationDatabase = openPostgres(databaseUrl, log, {
    timeoutMs: MIGRATION_TIMEOUT_MS,
    hasServerLimits: false,
  });
  try {
    await migrate(migrationDatabase);
  } catch (error) {
    throw toStartError(error);
  } finally {
    await migrationDatabase.close();
  }
}

/** Loads the driver only for PostgreSQL, so that the embedded database starts faster. */
const importPostgres = () => import('./postgres.ts');

export function toDamagedError(error: unknown, file: string): unknown {
  if (!(error instanceof Error && DAMAGED.test(error.message))) return error;
  return new StartError(
    `DATA_DIR: ${file} is damaged (${error.message}). Restore a backup (docs/operate/restore.md). SQLite's own check shows more: sqlite3 ${file} 'PRAGMA integrity_check'`,
    { cause: error },
  );
}

const ADVICE_DAMAGED = 'It is damaged. See docs/operate/runbooks.md#restore-at-night.';

/** The advice for each SQLSTATE (PostgreSQL, appendix A). */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': 'Check the user and the password.',
  '28P01': 'Check the user and the password.',
  '3D000': 'Create the database, or correct its name.',
  '42501':
    'The user must own the database, or have CREATE on its schema (docs/operate/scaling.md#postgresql).',
  XX001: ADVICE_DAMAGED,
  XX002: ADVICE_DAMAGED,
};

const ADVICE_UNREACHABLE =
  'Start PostgreSQL, correct the address, or let this machine connect (firewall, pg_hba.conf, TLS).';

/** PostgreSQL has answered, for example that it rejects a migration. */
const ADVICE_REJECTED =
  'Nothing was changed by this statement. Start the version before, and report this message.';

/** Returns whether PostgreSQL names a problem that the operator can solve. */
export const hasAdvice = (error: unknown): boolean => Object.hasOwn(ADVICE, reasonOf(error));

export function toStartError(error: unknown): unknown {
  if (error instanceof StartError) return error;
  const cause = error instanceof Unavailable ? error.cause : error;
  if (!(cause instanceof Error)) return error;
  const known = 'code' in cause ? ADVICE[String(cause.code)] : undefined;
  const isReached = known !== undefined || !(error instanceof Unavailable);
  const problem = isReached ? 'the database cannot be used' : 'the database cannot be reached';
  const advice = known ?? (isReached ? ADVICE_REJECTED : ADVICE_UNREACHABLE);
  const message = `DATABASE_URL: ${problem} (${cause.message}). ${advice}`;
  return new StartError(message, { cause });
}
