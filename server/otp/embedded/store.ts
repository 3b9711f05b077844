import { createHmac, timingSafeEqual } from 'node:crypto';

import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import { deleteCountersStatement } from '#server/db/counter.ts';
import type { RateLimit } from '#server/db/counter.ts';
import type { Database, Statement } from '#server/db/database.ts';
import { hashToken } from '#server/token.ts';

import {
  ATTEMPTS_MAX,
  CODE_LIFE_MS,
  EXCHANGE_TOKEN_LIFE_MS,
  failureDelay,
  longestFailureDelay,
  phoneFailurePatterns,
  phoneFailures,
} from './limits.ts';

/** One code for one phone: a code is valid for its own challenge only. */
export interface Challenge {
  readonly id: string;
  /** E.164. */
  readonly phone: string;
}

/**
 * Returns the form in which a code is stored: HMAC-SHA256 in hexadecimal. A hash without a key
 * protects nothing, because there are only a million codes. It includes challenge and phone, so a
 * code is valid for its own challenge only.
 */
export function codeHmac(secret: string, { id, phone }: Challenge, code: string): string {
  return createHmac('sha256', secret).update(`${id}\n${phone}\n${code}`).digest('hex');
}

/** Constant-time comparison. */
export function isSameHmac(hmac: string, expected: string): boolean {
  const [left, right] = [Buffer.from(hmac, 'hex'), Buffer.from(expected, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** A counter in its open window. */
export interface Count {
  readonly count: number;
  /** Milliseconds until the window closes. */
  readonly waitMs: number;
}

/**
 * Reads the open counters of some rate limits, without incrementing them. A window whose end is
 * further ahead than its length has ended: a clock was wrong.
 */
export async function readCounts(
  database: Database,
  rateLimits: readonly RateLimit[],
  now: number,
): Promise<ReadonlyMap<string, Count>> {
  const placeholders = rateLimits.map((_, index) => `$${index + 2}`);
  const rows = await database.all<{ key: string; count: number; expires_at: number }>(
    `SELECT key, count, expires_at FROM counters
     WHERE expires_at > $1 AND key IN (${placeholders.join(', ')})`,
    [now, ...rateLimits.map(({ key }) => key)],
  );
  const windowOf = new Map(rateLimits.map(({ key, windowMs }) => [key, windowMs]));
  const open = rows.filter(
    ({ key, expires_at }) => expires_at <= now + (windowOf.get(key) ?? 0) + CLOCK_SKEW_MS_MAX,
  );
  return new Map(
    open.map(({ key, count, expires_at }) => [key, { count, waitMs: expires_at - now }]),
  );
}

/**
 * Returns the statement that rolls a batch back while the delay after wrong codes for a phone lasts.
 * `toError` creates the error from the remaining milliseconds.
 */
export function delayStatement(
  phone: string,
  now: number,
  toError: (waitMs: number) => Error,
): Statement {
  const { key, windowMs } = longestFailureDelay(phone);
  return {
    sql: `SELECT expires_at FROM counters
      WHERE key = $1 AND expires_at > $2 AND expires_at <= $3`,
    values: [key, now, now + windowMs + CLOCK_SKEW_MS_MAX],
    errorIfRow: (rows) =>
      toError(Math.max(...(rows as { expires_at: number }[]).map((row) => row.expires_at)) - now),
  };
}

/** The SQL cases of a delay in milliseconds by the number of failures. */
const DELAY_LENGTHS = Array.from({ length: phoneFailures('').max / ATTEMPTS_MAX }, (_, index) => {
  const failures = (index + 1) * ATTEMPTS_MAX;
  return `WHEN ${failures} THEN ${failureDelay('', failures).windowMs}`;
}).join(' ');

/** Returns the statement that begins a delay after every fifth failure of a phone. */
export function beginDelayStatement(phone: string, now: number): Statement {
  return {
    sql: `INSERT INTO counters (key, count, expires_at)
      SELECT $1, 1, CAST($2 AS BIGINT) + CASE count ${DELAY_LENGTHS} END
      FROM counters WHERE key = $3 AND count % ${ATTEMPTS_MAX} = 0
      ON CONFLICT (key) DO UPDATE SET count = 1, expires_at = excluded.expires_at`,
    values: [longestFailureDelay(phone).key, now, phoneFailures(phone).key],
  };
}

/** Returns the statement that ends the delay and the locks of a phone; it returns the counters. */
export function resetFailuresStatement(phone: string): Statement {
  return deleteCountersStatement(phoneFailurePatterns(phone));
}

/**
 * Returns the statement that saves a challenge; it returns no row for a phone whose card is
 * blocked.
 */
export function saveChallengeStatement({
  id,
  phone,
  hmac,
  now,
}: Challenge & { hmac: string; now: number }): Statement {
  return {
    sql: `INSERT INTO challenges (id, phone, code_hmac, created_at, expires_at)
      SELECT $1, $2, $3, CAST($4 AS BIGINT), CAST($5 AS BIGINT)
      WHERE NOT EXISTS (SELECT 1 FROM users WHERE login_phone = $2 AND blocked_at IS NOT NULL)
      RETURNING id`,
    values: [id, phone, hmac, now, now + CODE_LIFE_MS],
  };
}

/** The condition of a challenge that can be attempted. */
const IS_OPEN = `id = $1 AND expires_at > $2 AND expires_at <= $3 AND tries < ${ATTEMPTS_MAX}`;
const openValues = (id: string, now: number) => [id, now, now + CODE_LIFE_MS + CLOCK_SKEW_MS_MAX];

/** Returns a challenge, or null if it is unknown, expired, used or void. */
export async function findChallenge(
  database: Database,
  id: string,
  now: number,
): Promise<{ phone: string; hmac: string } | null> {
  return database.one(
    `SELECT phone, code_hmac AS hmac FROM challenges WHERE ${IS_OPEN}`,
    openValues(id, now),
  );
}

/**
 * Returns the statement that deletes a challenge after a right code, or counts a wrong one. It rolls
 * the batch back if the challenge can no longer be attempted.
 */
export function useChallengeStatement(
  { id, isRight, now }: { id: string; isRight: boolean; now: number },
  toError: () => Error,
): Statement {
  return {
    sql: isRight
      ? `DELETE FROM challenges WHERE ${IS_OPEN} RETURNING id`
      : `UPDATE challenges SET tries = tries + 1 WHERE ${IS_OPEN} RETURNING id`,
    values: openValues(id, now),
    errorIfNoRow: toError,
  };
}

/** Returns the statement that stores the hash of the token that the page's callback receives. */
export function saveTokenStatement({
  token,
  phone,
  now,
}: {
  token: string;
  phone: string;
  now: number;
}): Statement {
  return {
    sql: 'INSERT INTO exchange_tokens (token_hash, phone, expires_at) VALUES ($1, $2, $3)',
    values: [hashToken(token), phone, now + EXCHANGE_TOKEN_LIFE_MS],
  };
}

/** Deletes an exchange token and returns its phone; null if it is unknown or expired. */
export async function consumeExchangeToken(
  database: Database,
  token: string,
  now: number,
): Promise<string | null> {
  const row = await database.one<{ phone: string; expires_at: number }>(
    `DELETE FROM exchange_tokens
     WHERE token_hash = $1 AND expires_at > $2 AND expires_at <= $3 RETURNING phone`,
    [hashToken(token), now, now + EXCHANGE_TOKEN_LIFE_MS + CLOCK_SKEW_MS_MAX],
  );
  return row?.phone ?? null;
}
