import type { Logger } from 'pino';

import type { Clock } from '#server/clock.ts';

import type { Database } from './database.ts';

const SECOND_MS = 1000;
const HOUR_MS = 60 * 60 * SECOND_MS;
const DAY_MS = 24 * HOUR_MS;
const SWEEP_EVERY_MS = HOUR_MS;
/** Rows to a statement, so that nobody waits long behind one. */
const BATCH = 1000;

/** What grows old: a table, its key, the column with a time, and how long after it a row stays. */
const OLD = [
  { table: 'sessions', key: 'token_hash', time: 'expires_at', keepMs: 0 },
  { table: 'challenges', key: 'id', time: 'expires_at', keepMs: 0 },
  { table: 'exchange_tokens', key: 'token_hash', time: 'expires_at', keepMs: 0 },
  // An hour on, no call that is under way still counts with it.
  { table: 'counters', key: 'key', time: 'expires_at', keepMs: HOUR_MS },
  // Far longer than any provider vouches for a token (an hour at most).
  { table: 'used_tokens', key: 'token_hash', time: 'used_at', keepMs: 7 * DAY_MS },
] as const;

/** Removes what is over, of every table that would grow for ever; gives back how many rows. */
export async function deleteExpiredRows(database: Database, now: number): Promise<number> {
  let total = 0;
  for (const { table, key, time, keepMs } of OLD) {
    let removed = BATCH;
    while (removed === BATCH) {
      removed = await database.run(
        `DELETE FROM ${table} WHERE ${key} IN
           (SELECT ${key} FROM ${table} WHERE ${time} <= $1 LIMIT ${BATCH})`,
        [now - keepMs],
      );
      total += removed;
    }
  }
  return total;
}

/** Sweeps now and every hour. Gives back what ends it. A sweep that fails is tried again later. */
export function scheduleRowCleanup(dependencies: {
  database: Database;
  clock: Clock;
  log: Logger;
}) {
  const sweep = () => {
    deleteExpiredRows(dependencies.database, dependencies.clock.now()).catch((error: unknown) =>
      dependencies.log.warn({ err: error }, 'old rows could not be swept'),
    );
  };
  sweep();
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref();
  return () => clearInterval(timer);
}
