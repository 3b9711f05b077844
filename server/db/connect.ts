import type { Logger } from 'pino';

import { StartError } from '#server/environment/start-error.ts';

import { databaseFile, lockDataFolder } from './data-folder.ts';
import { Unavailable } from './database.ts';
import type { Database } from './database.ts';
import { MIGRATION_TIMEOUT_MS, migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';

interface DatabaseSettings {
  /** Null means the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  readonly databasePoolSize: number;
  readonly dataDir: string;
}

/** Throws StartError if another process has the data folder. */
export async function openDatabase(settings: DatabaseSettings, log: Logger): Promise<Database> {
  if (settings.databaseUrl !== null) {
    const { openPostgres } = await importPostgres();
    return openPostgres(settings.databaseUrl, log, { poolSize: settings.databasePoolSize });
  }
  const unlock = lockDataFolder(settings.dataDir);
  const database = openSqlite(databaseFile(settings.dataDir));
  return {
    ...database,
    close: async () => {
      await database.close();
      unlock();
    },
  };
}

/** Throws StartError if PostgreSQL cannot be reached or used. */
export async function migrateDatabase(
  database: Database,
  { databaseUrl }: Pick<DatabaseSettings, 'databaseUrl'>,
  log: Logger,
): Promise<void> {
  if (databaseUrl === null) return migrate(database);
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

/** The embedded database starts without the driver of PostgreSQL. */
const importPostgres = () => import('./postgres.ts');

/** By SQLSTATE (PostgreSQL, appendix A). */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': 'Check the user and the password.',
  '28P01': 'Check the user and the password.',
  '3D000': 'Create the database, or correct its name.',
  '42501':
    'The user must own the database, or have CREATE on its schema (docs/install.md#postgresql).',
};

/** The sentence names DATABASE_URL; no error of the driver contains the password. */
function toStartError(error: unknown): unknown {
  if (error instanceof StartError) return error;
  const cause = error instanceof Unavailable ? error.cause : error;
  if (!(cause instanceof Error)) return error;
  const advice = 'code' in cause ? ADVICE[String(cause.code)] : undefined;
  const problem = advice ? 'the database cannot be used' : 'the database cannot be reached';
  const message = `DATABASE_URL: ${problem} (${cause.message}).${advice ? ` ${advice}` : ''}`;
  return new StartError(message, { cause });
}
