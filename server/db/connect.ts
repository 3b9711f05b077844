import { join } from 'node:path';

import type { Logger } from 'pino';

import { ApiError } from '#server/http/api-error.ts';
import { StartError } from '#server/start-error.ts';

import type { Database } from './database.ts';
import { lockFolder } from './lock.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';

// Another node may be migrating a large table meanwhile.
const MIGRATION_PATIENCE_MS = 600_000;

interface DatabaseSettings {
  /** '' is the embedded database in `dataDir`. */
  readonly databaseUrl: string;
  readonly databasePoolSize: number;
  readonly dataDir: string;
}

/** Opens the database that the settings name and brings its schema up to date. */
export async function connect(settings: DatabaseSettings, log: Logger): Promise<Database> {
  if (settings.databaseUrl) {
    // Loaded where it is used, for a faster start without it.
    const { openPostgres } = await import('./postgres.ts');
    const patient = openPostgres(settings.databaseUrl, log, {
      timeoutMs: MIGRATION_PATIENCE_MS,
    });
    await migrate(patient, 'postgres').catch(explain);
    await patient.close();
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

function explain(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  throw new StartError(`DATABASE_URL: the database cannot be reached (${why}).`);
}
