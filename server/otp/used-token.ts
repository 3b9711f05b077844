import type { Database, Statement } from '#server/db/database.ts';
import { ApiError, tokenInvalidError } from '#server/error.ts';
import { hashToken } from '#server/token.ts';

/**
 * Returns the statement that marks a token as used. It stops its batch with ApiError 'token_invalid'
 * (403) if the token was used before.
 */
export function useTokenStatement(token: string, now: number): Statement {
  return {
    sql: `INSERT INTO used_tokens (token_hash, used_at) VALUES ($1, $2)
      ON CONFLICT DO NOTHING RETURNING token_hash`,
    values: [hashToken(token), now],
    errorIfNoRow: tokenInvalidError,
  };
}

/** Returns whether a token was used before. */
export async function isTokenUsed(database: Database, token: string): Promise<boolean> {
  const sql = 'SELECT token_hash FROM used_tokens WHERE token_hash = $1';
  return (await database.one(sql, [hashToken(token)])) !== null;
}

/** Whether an error is ApiError 'token_invalid'. */
export function isTokenInvalid(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'token_invalid';
}
