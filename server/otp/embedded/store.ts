import { createHmac, timingSafeEqual } from 'node:crypto';

import { CLOCK_DIFFERENCE_MS_MAX } from '#server/clock.ts';
import type { RateLimit } from '#server/db/counter.ts';
import type { Database } from '#server/db/database.ts';
import { hashToken } from '#server/token.ts';

import { ATTEMPTS_MAX, CODE_LIFE_MS, EXCHANGE_TOKEN_LIFE_MS } from './limits.ts';

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
    ({ key, expires_at }) => expires_at <= now + (windowOf.get(key) ?? 0) + CLOCK_DIFFERENCE_MS_MAX,
  );
  return new Map(
    open.map(({ key, count, expires_at }) => [key, { count, waitMs: expires_at - now }]),
  );
}

/** Decrements counters that are above 0. */
export async function decrementCounters(
  database: Database,
  keys: readonly string[],
): Promise<void> {
  const placeholders = keys.map((_, index) => `$${index + 1}`);
  await database.run(
    `UPDATE counters SET count = count - 1
     WHERE key IN (${placeholders.join(', ')}) AND count > 0`,
    keys,
  );
}

export async function saveChallenge(
  database: Database,
  { id, phone, hmac, now }: Challenge & { hmac: string; now: number },
): Promise<void> {
  await database.run(
    `INSERT INTO challenges (id, phone, code_hmac, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [id, phone, hmac, now, now + CODE_LIFE_MS],
  );
}

/**
 * Counts an attempt before the code is compared, so that simultaneous attempts cannot exceed the
 * limit. Returns null if the challenge is unknown, expired, used or void.
 */
export async function countAttempt(
  database: Database,
  id: string,
  now: number,
): Promise<{ phone: string; hmac: string } | null> {
  return database.one(
    `UPDATE challenges SET tries = tries + 1
     WHERE id = $1 AND expires_at > $2 AND expires_at <= $3 AND tries < ${ATTEMPTS_MAX}
     RETURNING phone, code_hmac AS hmac`,
    [id, now, now + CODE_LIFE_MS + CLOCK_DIFFERENCE_MS_MAX],
  );
}

/** Deletes a challenge; returns false if another call did so first. */
export async function consumeChallenge(database: Database, id: string): Promise<boolean> {
  return (await database.run('DELETE FROM challenges WHERE id = $1', [id])) === 1;
}

/** Stores the hash of the token that the page's callback receives. */
export async function saveExchangeToken(
  database: Database,
  { token, phone, now }: { token: string; phone: string; now: number },
): Promise<void> {
  await database.run(
    'INSERT INTO exchange_tokens (token_hash, phone, expires_at) VALUES ($1, $2, $3)',
    [hashToken(token), phone, now + EXCHANGE_TOKEN_LIFE_MS],
  );
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
    [hashToken(token), now, now + EXCHANGE_TOKEN_LIFE_MS + CLOCK_DIFFERENCE_MS_MAX],
  );
  return row?.phone ?? null;
}
