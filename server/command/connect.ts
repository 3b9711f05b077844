import type { Logger } from 'pino';

import { DAY_MS, SECOND_MS } from '#domain/duration.ts';
import { hasAdvice, toStartError } from '#server/adapter/database/connect.ts';
import { databaseFile } from '#server/adapter/database/data-folder.ts';
import { Unavailable } from '#server/adapter/database/database.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { openSqlite } from '#server/adapter/database/sqlite.ts';
import type { Settings } from '#server/settings/settings.ts';

/** Even the largest database is copied or searched within this time. */
const STATEMENT_TIMEOUT_MS = DAY_MS;
/** The service holds its lock for a write and its sync, which take far less. */
const BUSY_TIMEOUT_MS = 10 * SECOND_MS;

type Work<Result> = (database: Database) => Promise<Result>;

export function withDatabase<Result>(
  { databaseUrl, dataDir }: Pick<Settings, 'databaseUrl' | 'dataDir'>,
  log: Logger,
  work: Work<Result>,
): Promise<Result> {
  if (databaseUrl !== null) return withPostgres(databaseUrl, log, work);
  const options = { busyTimeoutMs: BUSY_TIMEOUT_MS };
  return closeAfter(openSqlite(databaseFile(dataDir), options), work);
}

export async function withPostgres<Result>(
  url: string,
  log: Logger,
  work: Work<Result>,
): Promise<Result> {
  // With the embedded database a command starts faster without the driver of PostgreSQL.
  const { openPostgres } = await import('#server/adapter/database/postgres.ts');
  const options = { timeoutMs: STATEMENT_TIMEOUT_MS, poolSize: 1, hasServerLimits: false };
  return closeAfter(openPostgres(url, log, options), work);
}

function closeAfter<Result>(database: Database, work: Work<Result>): Promise<Result> {
  return work(database).finally(() => database.close());
}

/** Throws StartError with advice if the database cannot be reached or PostgreSQL names a known problem. */
export function throwWithAdvice(error: unknown): never {
  throw error instanceof Unavailable || hasAdvice(error) ? toStartError(error) : error;
}
