import { createHash, createHmac } from 'node:crypto';

import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { CONTACTS_PER_DAY_MAX } from '#domain/lead.ts';
import type { Lead } from '#domain/lead-schema.ts';
import { TABLES_PER_DAY_MAX } from '#domain/table.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import { ApiError } from '#server/error.ts';
import type { CheckedStatement } from '#server/adapter/database/database.ts';
import { joinSql, sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import type { AddressPrefixes } from '#server/http/proxy.ts';
import { KeyCache } from '#server/http/limit.ts';
import type { Settings } from '#server/settings/settings.ts';

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

/** Returns a function that makes the error of a daily limit, for rejectExceededStatement. */
export const tooManyTodayError =
  (things: 'contacts' | 'tables') =>
  (waits: WaitsMs): ApiError =>
    new ApiError(
      'too_many_requests',
      `That's too many ${things} for one day. Try again tomorrow.`,
      {
        retryAfterSeconds: Math.ceil(Math.max(...waits.values()) / SECOND_MS),
      },
    );

export function toWaits(counters: readonly Counter[], now: number): WaitsMs {
  return new Map(counters.map(({ key, expires_at }) => [key, expires_at - now]));
}

/**
 * A batch increments counters before it checks them, so concurrent requests are counted exactly.
 * The keys must be different.
 */
export function incrementStatement(rateLimits: readonly RateLimit[], now: number, count = 1): Sql {
  const rows = rateLimits.map(
    ({ key, windowMs }) => sql`(${key}, CAST(${count} AS INTEGER), ${now + windowMs})`,
  );
  // A window that ends too far in the future began while the clock was wrong.
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

/** Returns a statement that rolls its batch back if a counter is above its limit. */
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

/** Sorts after the first character of every IP address, in SQLite and in the collations of PostgreSQL. */
const AFTER_ADDRESSES = 'z';

/** A `%` in the pattern stands for any IP address. The range uses the index, which LIKE does not. */
export function deleteCountersStatement(pattern: string): Sql {
  const [prefix = '', rest] = pattern.split('%');
  if (rest === undefined) return resetStatement(pattern);
  return sql`DELETE FROM counters
    WHERE key > ${prefix} AND key < ${prefix + AFTER_ADDRESSES} AND key LIKE ${pattern}
    RETURNING key`;
}

/** A network may send this many times as many contacts to one card as one IP address may send in all. */
const NETWORK_FACTOR = 1.5;
const IPV4_HOST = /\.\d+$/;

export const addedContactsLimit = (userId: string): RateLimit => ({
  key: `contact:added:${userId}`,
  max: 2000,
  windowMs: DAY_MS,
});

/** A ticket stands for a fresh verification, so this only bounds what one owner can store. */
export const broughtContactsLimit = (userId: string): RateLimit => ({
  key: `contact:brought:${userId}`,
  max: 100_000,
  windowMs: DAY_MS,
});

export const tablesLimit = (userId: string): RateLimit => ({
  key: `tables:${userId}`,
  max: TABLES_PER_DAY_MAX,
  windowMs: DAY_MS,
});

/**
 * Returns a limit that is exceeded if the same contact was already sent to this card in the last 10 minutes
 * (docs/develop/security.md#limits).
 */
export function sameContactLimit(userId: string, lead: Lead): RateLimit {
  const text = JSON.stringify([userId, lead.name, lead.mobile, lead.email, lead.companyName]);
  const digest = createHash('sha256').update(text).digest('base64url');
  return { key: `contact:same:${digest}`, max: 1, windowMs: 10 * MINUTE_MS };
}

export type ContactRateLimits = ReturnType<typeof contactRateLimits>;

interface LeadSubmission {
  readonly address: AddressPrefixes;
  readonly userId: string;
  readonly lead: Lead;
  readonly secret: string;
}

/** Returns the limits of docs/develop/security.md#limits, in the order in which counters are locked to avoid deadlocks. */
export function contactRateLimits(
  { address: { prefix64, prefix48 }, userId, lead, secret }: LeadSubmission,
  settings: Pick<Settings, 'limitContactsPerHour' | 'limitContactsPerCard'>,
) {
  const network = prefix48 ?? prefix64.replace(IPV4_HOST, '.0/24');
  return {
    /** Above one of these limits, a contact is refused. */
    refused: [
      { key: `contact:address:${prefix64}`, max: settings.limitContactsPerHour, windowMs: HOUR_MS },
      {
        key: `contact:network:${network}:${userId}`,
        max: Math.ceil(NETWORK_FACTOR * settings.limitContactsPerHour),
        windowMs: HOUR_MS,
      },
    ],
    /** Above one of these limits, a contact is stored but held. */
    held: [
      {
        key: `contact:address:${prefix64}:${userId}`,
        max: settings.limitContactsPerCard,
        windowMs: 10 * MINUTE_MS,
      },
      { key: `contact:card:${userId}`, max: CONTACTS_PER_DAY_MAX, windowMs: DAY_MS },
    ],
    duplicate: sameContactLimit(userId, lead),
    /** A keyed hash of the network, stored with a held contact. */
    source: createHmac('sha256', secret).update(`held\n${userId}\n${network}`).digest('base64url'),
  };
}

/** Refuses further and repeated contacts without a query. If a key is forgotten, the database refuses it. */
export class DeniedKeys {
  readonly #periods = new KeyCache<{ from: number; until: number }>();

  add(waitsMs: WaitsMs, now: number): void {
    for (const [key, waitMs] of waitsMs) this.#periods.set(key, { from: now, until: now + waitMs });
  }

  waitMs(limits: readonly RateLimit[], now: number): number {
    const waits = limits.map(({ key }) => {
      const { from, until } = this.#periods.get(key) ?? { from: 0, until: 0 };
      // After the clock was set back, the database decides again.
      return from <= now ? until - now : 0;
    });
    return Math.max(0, ...waits);
  }
}
