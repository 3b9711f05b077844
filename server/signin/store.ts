import { CLOCK_DIFFERENCE_MS_MAX } from '#server/clock.ts';
import { UniqueViolation } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { tokenInvalid } from '#server/http/caller.ts';
import { SESSIONS_PER_USER_MAX } from '#server/session/session.ts';
import { hashToken, newUserId } from '#server/token.ts';

export interface SignIn {
  /** The provider's token; it works once. */
  readonly providerToken: string;
  /** The verified phone in E.164. */
  readonly phone: string;
  readonly sessionToken: string;
  /** Milliseconds since 1970. */
  readonly now: number;
  readonly expiresAt: number;
}

/**
 * Signs a verified phone in and returns the user's id. In one transaction: marks the provider's token
 * as used, creates the user at the first login, creates a session and ends the oldest ones over the
 * limit. Throws ApiError 'token_invalid' (403) for a token that was used before.
 */
export async function signIn(database: Database, { phone, now, ...rest }: SignIn): Promise<string> {
  const sessionHash = hashToken(rest.sessionToken);
  try {
    return await database.transaction(async (inside) => {
      await inside.run('INSERT INTO used_tokens (token_hash, used_at) VALUES ($1, $2)', [
        hashToken(rest.providerToken),
        now,
      ]);
      const user = await inside.one<{ id: string }>(
        // With DO NOTHING an existing row would not be returned.
        `INSERT INTO users (id, login_phone, phone, created_at, updated_at)
         VALUES ($1, $2, $2, $3, $3)
         ON CONFLICT (login_phone) DO UPDATE SET login_phone = excluded.login_phone
         RETURNING id`,
        [newUserId(), phone, now],
      );
      if (!user) throw new Error('The upsert returned no row.');
      await inside.run(
        `INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
         VALUES ($1, $2, $3, $3, $4)`,
        [sessionHash, user.id, now, rest.expiresAt],
      );
      await inside.run(
        // Excludes the new session by its hash: another one can have the same created_at. A session
        // whose start is in the future has ended and does not count.
        `DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2 AND token_hash NOT IN (
           SELECT token_hash FROM sessions
           WHERE user_id = $1 AND token_hash <> $2 AND created_at <= $3
           ORDER BY created_at DESC, token_hash LIMIT ${SESSIONS_PER_USER_MAX - 1})`,
        [user.id, sessionHash, now + CLOCK_DIFFERENCE_MS_MAX],
      );
      return user.id;
    });
  } catch (error) {
    if (error instanceof UniqueViolation) throw tokenInvalid();
    throw error;
  }
}
