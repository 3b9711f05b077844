import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';

import { toChecked } from './database.ts';
import type { Statement } from './database.ts';

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

// Uses $1, which must be the current time. A window has ended if its end is in the past, or so far
// ahead that it began while the clock was wrong.
const WINDOW_HAS_ENDED = `(counters.expires_at <= $1
  OR counters.expires_at > excluded.expires_at + ${CLOCK_SKEW_MS_MAX})`;

/** Milliseconds until a key is allowed again, by key. */
export type WaitsMs = ReadonlyMap<string, number>;

// A batch increments counters and then checks them (`rejectExceededStatement`), so concurrent
// requests and other nodes are counted exactly. If the database is unavailable the batch throws, so
// that nothing is allowed without being counted.

/**
 * Returns the statement that increments the counter of each key. A window begins with its first
 * event. The keys must be different.
 */
export function incrementStatement(rateLimits: readonly RateLimit[], now: number): Statement {
  const placeholders = rateLimits.map((_, index) => `($${2 * index + 2}, 1, $${2 * index + 3})`);
  return {
    sql: `INSERT INTO counters (key, count, expires_at) VALUES ${placeholders.join(', ')}
     ON CONFLICT (key) DO UPDATE SET
       count = CASE WHEN ${WINDOW_HAS_ENDED} THEN 1 ELSE counters.count + 1 END,
       expires_at = CASE WHEN ${WINDOW_HAS_ENDED} THEN excluded.expires_at ELSE counters.expires_at END`,
    values: [now, ...rateLimits.flatMap(({ key, windowMs }) => [key, now + windowMs])],
  };
}

/** Returns the statement that reads the counters above their limit. */
export function selectExceededStatement(rateLimits: readonly RateLimit[]): Statement {
  const isExceeded = rateLimits.map(
    (_, index) => `key = $${2 * index + 1} AND count > $${2 * index + 2}`,
  );
  return {
    sql: `SELECT key, count, expires_at FROM counters WHERE ${isExceeded.join(' OR ')}`,
    values: rateLimits.flatMap(({ key, max }) => [key, max]),
  };
}

/**
 * Returns the statement that rolls a batch back if a counter that the batch has incremented is above
 * its limit. `toError` creates the error from the waits of these keys.
 */
export function rejectExceededStatement(
  rateLimits: readonly RateLimit[],
  now: number,
  toError: (waits: WaitsMs) => Error,
): Statement {
  return {
    ...toChecked(selectExceededStatement(rateLimits)),
    errorIfRow: (rows) => toError(toWaits(rows as readonly CounterRow[], now)),
  };
}

function toWaits(rows: readonly CounterRow[], now: number): WaitsMs {
  return new Map(rows.map((row) => [row.key, Math.max(1, row.expires_at - now)]));
}

/** Returns the statement that decrements the counter of a key if it is above 0. */
export function decrementStatement(key: string): Statement {
  return {
    sql: 'UPDATE counters SET count = count - 1 WHERE key = $1 AND count > 0',
    values: [key],
  };
}

/** Returns the statement that resets the counter of a key. */
export function resetStatement(key: string): Statement {
  return { sql: 'DELETE FROM counters WHERE key = $1', values: [key] };
}

/**
 * Sorts after the first character of every address: in SQLite's byte order and PostgreSQL's
 * collations.
 */
const AFTER_ADDRESSES = 'z';

/**
 * Returns the statement that deletes counters and returns their keys. A pattern is a key, or has `%` in
 * the place of an address. The range is there because LIKE does not use the index of the keys.
 */
export function deleteCountersStatement(patterns: readonly string[]): Statement {
  const values: string[] = [];
  const parameter = (value: string) => `$${values.push(value)}`;
  const conditions = patterns.map((pattern) => {
    const prefixLength = pattern.indexOf('%');
    if (prefixLength === -1) return `key = ${parameter(pattern)}`;
    const prefix = pattern.slice(0, prefixLength);
    return `(key > ${parameter(prefix)} AND key < ${parameter(prefix + AFTER_ADDRESSES)}
      AND key LIKE ${parameter(pattern)})`;
  });
  return { sql: `DELETE FROM counters WHERE ${conditions.join(' OR ')} RETURNING key`, values };
}
