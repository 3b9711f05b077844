import type { Database } from './database.ts';

/** How many of something may happen in how long. */
export interface Allowance {
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

interface CounterRow {
  count: number;
  expires_at: number;
}

/**
 * Counts one more under a key and says whether that is still allowed; exact however many ask at
 * once, and shared by every node. The window opens with the first event and closes `windowMs`
 * later. Fails closed: without the database it throws, and nothing is allowed.
 * Gives back null where allowed, else the milliseconds until the window closes.
 */
export async function countOne(
  database: Database,
  allowance: Allowance,
  now: number,
): Promise<number | null> {
  const row = await database.one<CounterRow>(
    `INSERT INTO counters (key, count, expires_at) VALUES ($1, 1, $2)
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN counters.expires_at <= $3 THEN 1 ELSE counters.count + 1 END,
       expires_at = CASE WHEN counters.expires_at <= $3 THEN $2 ELSE counters.expires_at END
     RETURNING count, expires_at`,
    [allowance.key, now + allowance.windowMs, now],
  );
  if (!row || row.count <= allowance.max) return null;
  return Math.max(1, row.expires_at - now);
}

/** Forgets a key's count. */
export async function forgetCount(database: Database, key: string): Promise<void> {
  await database.run('DELETE FROM counters WHERE key = $1', [key]);
}
