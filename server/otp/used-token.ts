import type { Database, Statement } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import { ApiError, tokenInvalidError } from '#server/error.ts';
import { hashToken } from '#server/token.ts';

/**
 * Returns the statement that marks a token as used. It stops its batch with ApiError 'token_invalid'
 * (403) if the token was used before.
 */
export function consumeTokenStatement(token: string, now: number): Statement {
  return {
    sql: sql`INSERT INTO used_tokens (token_hash, used_at) VALUES (${hashToken(token)}, ${now})
      ON CONFLICT DO NOTHING RETURNING token_hash`,
    errorIfNoRow: tokenInvalidError,
  };
}

/** Returns whether a token was used before. */
export async function isTokenUsed(database: Database, token: string): Promise<boolean> {
  const row = await database.one(sql`SELECT token_hash FROM used_tokens
    WHERE token_hash = ${hashToken(token)}`);
  return row !== null;
}

/** Whether an error is ApiError 'token_invalid'. */
export function isTokenInvalid(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'token_invalid';
}
