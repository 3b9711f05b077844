import { join } from 'node:path';

import type { Logger } from 'pino';

import { ApiError } from '#server/http/api-error.ts';
import { StartError } from '#server/start-error.ts';

import type { Database } from './database.ts';
import { lockFolder } from './lock.ts';
import { MIGRATION_TIMEOUT_MS, migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';

interface DatabaseSettings {
  /** '' is the embedded database in `dataDir`. */
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly dataDir: string;
}

/** Opens the database of the settings and migrates it. Throws StartError if that is not possible. */
export async function connect(settings: DatabaseSettings, log: Logger): Promise<Database> {
  if (settings.databaseUrl) {
    // A dynamic import, for a faster start with the embedded database.
    const { openPostgres } = await import('./postgres.ts');
    const migrating = openPostgres(settings.databaseUrl, log, {
      timeoutMs: MIGRATION_TIMEOUT_MS,
      isLong: true,
    });
    try {
      await migrate(migrating, 'postgres');
    } catch (error) {
      throw toStartError(error);
    } finally {
      await migrating.close();
    }
    return openPostgres(settings.databaseUrl, log, { poolSize: settings.databasePoolSize });
  }
  const unlock = lockFolder(join(settings.dataDir, 'lock.sqlite'));
  if (!unlock) {
    throw new StartError(
      `Another Tessera is running on the data folder ${settings.dataDir}. Stop it, or set DATA_DIR to another folder.`,
    );
  }
  const database = openSqlite(join(settings.dataDir, 'tessera.sqlite'));
  await migrate(database, 'sqlite');
  return {
    ...database,
    close: async () => {
      await database.close();
      unlock();
    },
  };
}

/** The advice for errors of the server, by SQLSTATE (PostgreSQL, appendix A). */
const ADVICE: Readonly<Record<string, string>> = {
  '28000': 'Check the user and the password.',
  '28P01': 'Check the user and the password.',
  '3D000': 'Create the database, or correct its name.',
  '42501': 'The user must own the database, or have CREATE on its schema (docs/operating.md).',
};

/** Returns a StartError that names DATABASE_URL; no error of the driver contains the password. */
function toStartError(error: unknown): unknown {
  if (error instanceof StartError) return error;
  const cause = error instanceof ApiError ? error.cause : error;
  if (!(cause instanceof Error)) return error;
  const advice = 'code' in cause ? ADVICE[String(cause.code)] : undefined;
  const fault = advice ? 'the database cannot be used' : 'the database cannot be reached';
  return new StartError(`DATABASE_URL: ${fault} (${cause.message}).${advice ? ` ${advice}` : ''}`, {
    cause,
  });
}
