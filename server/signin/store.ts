import { SESSIONS_PER_USER_MAX } from '#server/session/session.ts';
import { UniqueViolation } from '#server/db/database.ts';
import type { Database } from '#server/db/database.ts';
import { tokenInvalid } from '#server/http/caller.ts';
import { hashToken, newUserId } from '#server/token.ts';

export interface SignIn {
  /** The provider's token; it works once. */
  readonly providerToken: string;
  /** The verified phone in E.164. */
  readonly phone: string;
  readonly sessionToken: string;
  readonly now: number;
  readonly expiresAt: number;
}

/**
 * Signs a verified phone in: uses the provider's token up, makes the user at the first sign-in,
 * opens a session, ends the oldest beyond the limit. All of it or nothing; gives back the user id.
 * Throws ApiError 'token_invalid' (403) for a token that was used before.
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
        // An update that changes nothing locks and returns the row that is there already.
        `INSERT INTO users (id, login_phone, phone, created_at, updated_at)
         VALUES ($1, $2, $2, $3, $3)
         ON CONFLICT (login_phone) DO UPDATE SET login_phone = excluded.login_phone
         RETURNING id`,
        [newUserId(), phone, now],
      );
      if (!user) throw new Error('An upsert gave no row back.');
      await inside.run(
        `INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at)
         VALUES ($1, $2, $3, $3, $4)`,
        [sessionHash, user.id, now, rest.expiresAt],
      );
      await inside.run(
        // The new one is named, since others may have been opened in the same millisecond.
        `DELETE FROM sessions WHERE user_id = $1 AND token_hash <> $2 AND token_hash NOT IN (
           SELECT token_hash FROM sessions WHERE user_id = $1 AND token_hash <> $2
           ORDER BY created_at DESC, token_hash LIMIT ${SESSIONS_PER_USER_MAX - 1})`,
        [user.id, sessionHash],
      );
      return user.id;
    });
  } catch (error) {
    if (error instanceof UniqueViolation) throw tokenInvalid();
    throw error;
  }
}
