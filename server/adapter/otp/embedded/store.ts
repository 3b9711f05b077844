import { createHmac, timingSafeEqual } from 'node:crypto';

import { MINUTE_MS } from '#domain/duration.ts';
import { CODE_LENGTH } from '#domain/signin.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ATTEMPTS_MAX } from '#server/adapter/otp/limits.ts';
import { hashToken } from '#server/token.ts';

export const CODE_LIFE_MS = 5 * MINUTE_MS;
const EXCHANGE_TOKEN_LIFE_MS = 5 * MINUTE_MS;

export interface Challenge {
  readonly id: string;
  readonly phone: string;
}

/**
 * With a key, because there are only a million codes. Nodes of version 1.1 expect SHA-512 for a
 * long code.
 */
export function codeHmac(secret: string, { id, phone }: Challenge, code: string): string {
  const algorithm = code.length > CODE_LENGTH ? 'sha512' : 'sha256';
  return createHmac(algorithm, secret).update(`${id}\n${phone}\n${code}`).digest('hex');
}

export function isSameHmac(hmac: string, expected: string): boolean {
  const [left, right] = [Buffer.from(hmac, 'hex'), Buffer.from(expected, 'hex')];
  return left.length === right.length && timingSafeEqual(left, right);
}

export function saveChallengeStatement(
  { id, phone }: Challenge,
  { secret, code, now }: { secret: string; code: string; now: number },
): Sql {
  return sql`INSERT INTO challenges (id, phone, code_hmac, code_length, created_at, expires_at)
    SELECT ${id}, ${phone}, ${codeHmac(secret, { id, phone }, code)}, CAST(${code.length} AS INTEGER),
      CAST(${now} AS BIGINT), CAST(${now + CODE_LIFE_MS} AS BIGINT)
    WHERE NOT EXISTS
      (SELECT 1 FROM users WHERE login_phone = ${phone} AND blocked_at IS NOT NULL)
    RETURNING id`;
}

function isOpen(id: string, now: number): Sql {
  return sql`id = ${id} AND expires_at > ${now}
    AND expires_at <= ${now + CODE_LIFE_MS + CLOCK_SKEW_MS_MAX} AND tries < ${ATTEMPTS_MAX}`;
}

interface SentChallenge {
  readonly phone: string;
  readonly hmac: string;
  /** Null for a code that a node of version 1.1 has sent. */
  readonly codeLength: number | null;
}

export async function findChallenge(
  database: Database,
  id: string,
  now: number,
): Promise<SentChallenge | null> {
  return database.one(sql`SELECT phone, code_hmac AS hmac, code_length AS "codeLength"
    FROM challenges WHERE ${isOpen(id, now)}`);
}

export function deleteChallengeStatement({ id, phone }: Challenge): Sql {
  return sql`DELETE FROM challenges WHERE id = ${id} AND phone = ${phone}`;
}

export function attemptStatement(
  { id, isRight, now }: { id: string; isRight: boolean; now: number },
  toError: () => Error,
): Statement {
  return {
    sql: isRight
      ? sql`DELETE FROM challenges WHERE ${isOpen(id, now)} RETURNING id`
      : sql`UPDATE challenges SET tries = tries + 1 WHERE ${isOpen(id, now)} RETURNING id`,
    errorIfNoRow: toError,
  };
}

/** The token that the page's callback receives. */
export function saveTokenStatement(saved: { token: string; phone: string; now: number }): Sql {
  return sql`INSERT INTO exchange_tokens (token_hash, phone, expires_at)
    VALUES (${hashToken(saved.token)}, ${saved.phone}, ${saved.now + EXCHANGE_TOKEN_LIFE_MS})`;
}

export async function findExchangeToken(
  database: Database,
  token: string,
  now: number,
): Promise<string | null> {
  const row = await database.one<{ phone: string }>(
    sql`SELECT phone FROM exchange_tokens WHERE token_hash = ${hashToken(token)}
      AND expires_at > ${now} AND expires_at <= ${now + EXCHANGE_TOKEN_LIFE_MS + CLOCK_SKEW_MS_MAX}`,
  );
  return row?.phone ?? null;
}
