import { CLOCK_DIFFERENCE_MS_MAX } from '#server/clock.ts';

import type { Database, Statement } from './database.ts';

/** At most `max` events under a key in a window of time. */
export interface RateLimit {
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

interface CounterRow {
  key: string;
  count: number;
  expires_at: number;
}

// The window has ended, or ends further ahead than its length: the clock was wrong when it began.
const IS_OVER = `(counters.expires_at <= $1
  OR counters.expires_at > excluded.expires_at + ${CLOCK_DIFFERENCE_MS_MAX})`;

/** Milliseconds until the windows of some keys end. */
export type Waits = ReadonlyMap<string, number>;

/**
 * Increments the counter of each key. Returns the waits of the keys above their limit. A window
 * begins with its first event. One statement, so concurrent requests and other nodes are counted
 * exactly. The keys must be different.
 * Throws if the database is unavailable, so that nothing is allowed without being counted.
 */
export async function incrementCounters(
  database: Database,
  rateLimits: readonly RateLimit[],
  now: number,
): Promise<Waits> {
  const { sql, values } = incrementStatement(rateLimits, now);
  const rows = await database.all<CounterRow>(`${sql} RETURNING key, count, expires_at`, values);
  const maxOf = new Map(rateLimits.map(({ key, max }) => [key, max]));
  const exceeded = rows.filter(({ key, count }) => count > (maxOf.get(key) ?? 0));
  return toWaits(exceeded, now);
}

/** Returns the statement that increments the counter of each key. */
export function incrementStatement(rateLimits: readonly RateLimit[], now: number): Statement {
  const placeholders = rateLimits.map((_, at) => `($${2 * at + 2}, 1, $${2 * at + 3})`);
  return {
    sql: `INSERT INTO counters (key, count, expires_at) VALUES ${placeholders.join(', ')}
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN ${IS_OVER} THEN 1 ELSE counters.count + 1 END,
       expires_at = CASE WHEN ${IS_OVER} THEN excluded.expires_at ELSE counters.expires_at END`,
    values: [now, ...rateLimits.flatMap(({ key, windowMs }) => [key, now + windowMs])],
  };
}

/**
 * Returns the statement that rolls a batch back if a counter that the batch has incremented is above
 * its limit. `toError` makes the error from the waits of these keys.
 */
export function limitStatement(
  rateLimits: readonly RateLimit[],
  now: number,
  toError: (waits: Waits) => Error,
): Statement {
  const isExceeded = rateLimits.map((_, at) => `key = $${2 * at + 1} AND count > $${2 * at + 2}`);
  return {
    sql: `SELECT key, count, expires_at FROM counters WHERE ${isExceeded.join(' OR ')}`,
    values: rateLimits.flatMap(({ key, max }) => [key, max]),
    ifRow: (rows) => toError(toWaits(rows as readonly CounterRow[], now)),
  };
}

function toWaits(rows: readonly CounterRow[], now: number): Waits {
  return new Map(rows.map((row) => [row.key, Math.max(1, row.expires_at - now)]));
}

/** Increments one counter. Returns null, or the milliseconds until the window ends if above the limit. */
export async function incrementCounter(
  database: Database,
  rateLimit: RateLimit,
  now: number,
): Promise<number | null> {
  return (await incrementCounters(database, [rateLimit], now)).get(rateLimit.key) ?? null;
}

/** Resets the counter of a key. */
export async function deleteCounter(database: Database, key: string): Promise<void> {
  await database.run('DELETE FROM counters WHERE key = $1', [key]);
}
