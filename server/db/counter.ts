import type { Database } from './database.ts';

/** How many of something may happen in how long. */
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

/**
 * Counts one more under each key, in one statement, and says which are not allowed any more; exact
 * however many ask at once, and shared by every node. A window opens with its first event and
 * closes `windowMs` later. Fails closed: without the database it throws, and nothing is allowed.
 * Keys must differ. Gives back, for each key beyond its allowance, the milliseconds until its
 * window closes.
 */
export async function incrementCounters(
  database: Database,
  rateLimits: readonly RateLimit[],
  now: number,
): Promise<ReadonlyMap<string, number>> {
  const places = rateLimits.map((_, at) => `($${2 * at + 2}, 1, $${2 * at + 3})`);
  const rows = await database.all<CounterRow>(
    `INSERT INTO counters (key, count, expires_at) VALUES ${places.join(', ')}
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN counters.expires_at <= $1 THEN 1 ELSE counters.count + 1 END,
       expires_at =
         CASE WHEN counters.expires_at <= $1 THEN excluded.expires_at ELSE counters.expires_at END
     RETURNING key, count, expires_at`,
    [now, ...rateLimits.flatMap(({ key, windowMs }) => [key, now + windowMs])],
  );
  const maxOf = new Map(rateLimits.map(({ key, max }) => [key, max]));
  const beyond = rows.filter(({ key, count }) => count > (maxOf.get(key) ?? 0));
  return new Map(beyond.map((row) => [row.key, Math.max(1, row.expires_at - now)]));
}

/** Counts one more under one key: null where allowed, else the milliseconds until its window closes. */
export async function incrementCounter(
  database: Database,
  allowance: RateLimit,
  now: number,
): Promise<number | null> {
  return (await incrementCounters(database, [allowance], now)).get(allowance.key) ?? null;
}

/** Forgets a key's count. */
export async function deleteCounter(database: Database, key: string): Promise<void> {
  await database.run('DELETE FROM counters WHERE key = $1', [key]);
}
