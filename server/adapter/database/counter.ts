import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';

import type { CheckedStatement } from './database.ts';
import { joinSql, sql } from './sql.ts';
import type { Sql } from './sql.ts';

export interface RateLimit {
  readonly key: string;
  readonly max: number;
  readonly windowMs: number;
}

export interface Counter {
  readonly key: string;
  readonly count: number;
  readonly expires_at: number;
}

export type WaitsMs = ReadonlyMap<string, number>;

export function toWaits(counters: readonly Counter[], now: number): WaitsMs {
  return new Map(counters.map(({ key, expires_at }) => [key, expires_at - now]));
}

/**
 * A batch increments counters before it checks them, so concurrent requests are counted exactly.
 * Keys must be different.
 */
export function incrementStatement(rateLimits: readonly RateLimit[], now: number, count = 1): Sql {
  const rows = rateLimits.map(
    ({ key, windowMs }) => sql`(${key}, CAST(${count} AS INTEGER), ${now + windowMs})`,
  );
  // It ended in the past, or ends so far ahead that it began while the clock was wrong.
  const hasEnded = sql`(counters.expires_at <= ${now}
    OR counters.expires_at > excluded.expires_at + ${CLOCK_SKEW_MS_MAX})`;
  return sql`INSERT INTO counters (key, count, expires_at) VALUES ${joinSql(rows, ', ')}
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN ${hasEnded} THEN excluded.count
        ELSE counters.count + excluded.count END,
      expires_at = CASE WHEN ${hasEnded} THEN excluded.expires_at ELSE counters.expires_at END
    RETURNING key, count, expires_at`;
}

export function selectExceededStatement(rateLimits: readonly RateLimit[], now: number): Sql {
  const isExceeded = rateLimits.map(
    ({ key, max, windowMs }) => sql`key = ${key} AND count > ${max}
      AND expires_at > ${now} AND expires_at <= ${now + windowMs + CLOCK_SKEW_MS_MAX}`,
  );
  return sql`SELECT key, count, expires_at FROM counters WHERE ${joinSql(isExceeded, ' OR ')}`;
}

/** Rolls its batch back if a counter is above its limit. */
export function rejectExceededStatement(
  rateLimits: readonly RateLimit[],
  now: number,
  toError: (waits: WaitsMs) => Error,
): CheckedStatement {
  return {
    sql: selectExceededStatement(rateLimits, now),
    errorIfRow: (rows) => toError(toWaits(rows as readonly Counter[], now)),
  };
}

export function decrementStatement(key: string): Sql {
  return sql`UPDATE counters SET count = count - 1 WHERE key = ${key} AND count > 0`;
}

export function resetStatement(key: string): Sql {
  return sql`DELETE FROM counters WHERE key = ${key} RETURNING key`;
}

/** Sorts after the first character of every address in SQLite and in PostgreSQL's collations. */
const AFTER_ADDRESSES = 'z';

/**
 * The pattern is a key, or has `%` in the place of an address. LIKE does not use the index, so
 * there is a range.
 */
export function deleteCountersStatement(pattern: string): Sql {
  const [prefix = '', rest] = pattern.split('%');
  if (rest === undefined) return resetStatement(pattern);
  return sql`DELETE FROM counters
    WHERE key > ${prefix} AND key < ${prefix + AFTER_ADDRESSES} AND key LIKE ${pattern}
    RETURNING key`;
}
