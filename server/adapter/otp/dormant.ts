import { DAY_MS, startOfDay } from '#domain/duration.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { ApiError, tokenInvalidError } from '#server/error.ts';
import { hashToken } from '#server/token.ts';

/*
 * Operators of telephone networks hand numbers on. An account that was not used for DORMANT_DAYS is not
 * opened by a right code alone (docs/develop/security.md#numbers-that-are-handed-on).
 */

export interface Dormancy {
  /** The number of days without use, above 0. If DORMANT_DAYS is 0, callers must skip these checks. */
  readonly dormantDays: number;
  readonly now: number;
}

/** Stores today as the day of the last use. Run it before session statements, to lock rows in a sign-in's order. */
export function useAccountStatement(userId: string, now: number): Sql {
  return sql`UPDATE users SET used_at = ${startOfDay(now)}
    WHERE id = ${userId} AND (used_at IS NULL OR used_at <> ${startOfDay(now)})`;
}

/**
 * Returns the condition that selects the account with a login phone if it is dormant. An account that nobody
 * has used, such as an imported one, counts from its creation.
 */
function isDormant(phone: string, { dormantDays, now }: Dormancy): Sql {
  const latest = startOfDay(now) - dormantDays * DAY_MS;
  return sql`login_phone = ${phone} AND COALESCE(used_at, created_at) <= ${latest}`;
}

export async function isAccountDormant(database: Database, phone: string, dormancy: Dormancy) {
  return (
    (await database.one(sql`SELECT id FROM users WHERE ${isDormant(phone, dormancy)}`)) !== null
  );
}

interface Code extends Dormancy {
  readonly phone: string;
  readonly token: string;
}

/** Stops a sign-in with ApiError 'account_dormant', unless its token is trusted. */
export function requireUsedStatements({ phone, token, ...dormancy }: Code): Statement[] {
  return [
    {
      sql: sql`SELECT 1 FROM users WHERE ${isDormant(phone, dormancy)} AND NOT EXISTS
        (SELECT 1 FROM exchange_tokens WHERE token_hash = ${hashToken(token)} AND trusted = 1)`,
      errorIfRow: () => new ApiError('account_dormant', ({ answer }) => answer.accountDormant),
    },
  ];
}

/**
 * Takes the number from a dormant account, so that a new one can have it. The id replaces the login phone, as
 * in an account whose owner has left. Throws 'token_invalid' for any other account.
 */
export function takePhoneStatement(phone: string, dormancy: Dormancy): Statement {
  return {
    sql: sql`UPDATE users SET login_phone = id, phone_lost_at = ${dormancy.now}
      WHERE ${isDormant(phone, dormancy)} AND blocked_at IS NULL RETURNING id`,
    errorIfNoRow: tokenInvalidError,
  };
}
