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
    await migrate(migrating, 'postgres').catch(throwStartError);
    await migrating.close();
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

function throwStartError(error: unknown): never {
  if (!(error instanceof ApiError)) throw error;
  const reason = error.cause instanceof Error ? error.cause.message : error.message;
  throw new StartError(`DATABASE_URL: the database cannot be reached (${reason}).`);
}
