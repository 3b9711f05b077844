import type { Database } from '#server/db/database.ts';
import { hashToken } from '#server/token.ts';

import { CODE_LIFE_MS, EXCHANGE_TOKEN_LIFE_MS, TRIES_MAX } from './limits.ts';

/** How often something was counted in the window that is open now, and until when it is. */
export interface Count {
  readonly count: number;
  readonly waitMs: number;
}

/** What stands under some keys now; nothing is counted. */
export async function readCounts(
  database: Database,
  keys: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, Count>> {
  const places = keys.map((_, at) => `$${at + 2}`);
  const rows = await database.all<{ key: string; count: number; expires_at: number }>(
    `SELECT key, count, expires_at FROM counters
     WHERE expires_at > $1 AND key IN (${places.join(', ')})`,
    [now, ...keys],
  );
  return new Map(
    rows.map(({ key, count, expires_at }) => [key, { count, waitMs: expires_at - now }]),
  );
}

/** Keeps what a code was sealed to. */
export async function keepChallenge(
  database: Database,
  challenge: { id: string; phone: string; seal: string; now: number },
): Promise<void> {
  await database.run(
    `INSERT INTO challenges (id, phone, code_hmac, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5)`,
    [challenge.id, challenge.phone, challenge.seal, challenge.now, challenge.now + CODE_LIFE_MS],
  );
}

/**
 * Takes one of a challenge's tries, before the code is looked at: exact however many guess at once.
 * Null where the challenge is unknown, expired, used or burnt.
 */
export async function takeTry(
  database: Database,
  id: string,
  now: number,
): Promise<{ phone: string; seal: string } | null> {
  return database.one(
    `UPDATE challenges SET tries = tries + 1
     WHERE id = $1 AND expires_at > $2 AND tries < ${TRIES_MAX}
     RETURNING phone, code_hmac AS seal`,
    [id, now],
  );
}

/** Uses a challenge up; false where another call did so first. */
export async function useChallenge(database: Database, id: string): Promise<boolean> {
  return (await database.run('DELETE FROM challenges WHERE id = $1', [id])) === 1;
}

/** Keeps the token that the page's callback gets. */
export async function keepExchangeToken(
  database: Database,
  { token, phone, now }: { token: string; phone: string; now: number },
): Promise<void> {
  await database.run(
    'INSERT INTO exchange_tokens (token_hash, phone, expires_at) VALUES ($1, $2, $3)',
    [hashToken(token), phone, now + EXCHANGE_TOKEN_LIFE_MS],
  );
}

/** The phone behind an exchange token, which is gone by that; null where it is not good. */
export async function takeExchangeToken(
  database: Database,
  token: string,
  now: number,
): Promise<string | null> {
  const row = await database.one<{ phone: string; expires_at: number }>(
    'DELETE FROM exchange_tokens WHERE token_hash = $1 AND expires_at > $2 RETURNING phone',
    [hashToken(token), now],
  );
  return row?.phone ?? null;
}
