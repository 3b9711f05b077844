import { join } from 'node:path';

import type { Logger } from 'pino';

import { Fault } from '#server/http/fault.ts';
import type { Settings } from '#server/settings.ts';
import { StartError } from '#server/start-error.ts';

import type { Database } from './database.ts';
import { lockFolder } from './lock.ts';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';

// Another node may be migrating a large table meanwhile.
const MIGRATION_PATIENCE_MS = 600_000;

/** Opens the database that the settings name and brings its schema up to date. */
export async function connect(settings: Settings, log: Logger): Promise<Database> {
  if (settings.databaseUrl) {
    // Loaded where it is used, for a faster start without it.
    const { openPostgres } = await import('./postgres.ts');
    const patient = openPostgres(settings.databaseUrl, log, {
      patienceMs: MIGRATION_PATIENCE_MS,
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
  if (!(error instanceof Fault)) throw error;
  const why = error.cause instanceof Error ? error.cause.message : error.message;
  throw new StartError(`DATABASE_URL: the database cannot be reached (${why}).`);
}
