import { authenticatePhone } from '#contract/signin.ts';
import type { AppContext } from '#server/context.ts';
import { addressPrefixes } from '#server/http/limit/address.ts';
import { readAuthorization, route } from '#server/http/route.ts';
import {
  deviceName,
  sessionExpiry,
  SESSIONS_PER_USER_MAX,
} from '#server/adapter/session/session.ts';
import { newToken, hashToken, newUserId } from '#server/token.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import {
  endInvitationStatement,
  requireInvitationStatements,
} from '#server/adapter/invitation/store.ts';
import type { Signup } from '#server/adapter/invitation/store.ts';
import { phoneBlockedError } from '#server/error.ts';

export function signinRoutes(context: AppContext): void {
  const { settings, dependencies, providerTokens } = context;
  const { database, clock } = dependencies;

  route(context, authenticatePhone, async ({ request }) => {
    const providerToken = readAuthorization(request);
    const address = addressPrefixes(request.ip);
    return providerTokens.consume([providerToken], address, async ([verified]) => {
      const now = clock.now();
      const sessionToken = newToken();
      const userId = await signIn(database, {
        ...verified,
        signup: settings.signup,
        sessionToken,
        device: deviceName(request.headers['user-agent']),
        now,
        expiresAt: sessionExpiry(now, now, settings.sessionDays),
      });
      return { _id: userId, sessionToken };
    });
  });
}

export interface SignIn {
  readonly consumeStatement: Statement;
  readonly phone: string;
  readonly signup: Signup;
  readonly sessionToken: string;
  readonly device: string;
  readonly now: number;
  readonly expiresAt: number;
}

/**
 * In one batch. Throws ApiError 'token_invalid' (403) for a used token, 'not_invited' (403),
 * 'card_blocked' (410).
 */
export async function signIn(database: Database, { phone, now, ...rest }: SignIn): Promise<string> {
  const sessionHash = hashToken(rest.sessionToken);
  const statements: readonly Statement[] = [
    rest.consumeStatement,
    ...requireInvitationStatements(rest.signup, phone),
    {
      // The update locks an existing row: simultaneous sign-ins of a user wait for each other.
      sql: sql`INSERT INTO users (id, login_phone, phone, name, created_at, updated_at)
        VALUES (${newUserId()}, ${phone}, ${phone},
          COALESCE((SELECT name FROM invitations WHERE phone = ${phone}), ''), ${now}, ${now})
        ON CONFLICT (login_phone) DO UPDATE SET login_phone = excluded.login_phone
          WHERE users.blocked_at IS NULL
        RETURNING id`,
      errorIfNoRow: phoneBlockedError,
    },
    sql`INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at,
      device)
        SELECT ${sessionHash}, id, CAST(${now} AS BIGINT), CAST(${now} AS BIGINT),
          CAST(${rest.expiresAt} AS BIGINT), ${rest.device}
        FROM users WHERE login_phone = ${phone}
        RETURNING user_id`,
    {
      // Excludes the new one by its hash: another one can have the same created_at. One that began
      // later than now has expired and does not count.
      sql: sql`DELETE FROM sessions
        WHERE user_id = (SELECT id FROM users WHERE login_phone = ${phone})
          AND token_hash <> ${sessionHash} AND token_hash NOT IN (
            SELECT token_hash FROM sessions
            WHERE user_id = (SELECT id FROM users WHERE login_phone = ${phone})
              AND token_hash <> ${sessionHash} AND created_at <= ${now + CLOCK_SKEW_MS_MAX}
            ORDER BY created_at DESC, token_hash LIMIT ${SESSIONS_PER_USER_MAX - 1})`,
    },
    endInvitationStatement(phone),
  ];
  const results = await database.batch<{ user_id?: string }>(statements);
  const session = results.flat().find(({ user_id: userId }) => userId !== undefined);
  if (!session?.user_id) throw new Error('The login created no session.');
  return session.user_id;
}
