import type { FastifyRequest } from 'fastify';
import { parse } from 'bowser';

import { DAY_MS, HOUR_MS, startOfDay } from '#domain/duration.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import { UniqueViolation, replaceError } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import {
  deleteInvitationStatement,
  requireInvitationStatements,
} from '#server/adapter/otp/store.ts';
import type { Signup } from '#server/adapter/otp/store.ts';
import { useAccountStatement } from '#server/adapter/otp/dormant.ts';
import { notVouchedError, phoneBlockedError, sessionInvalidError } from '#server/error.ts';
import { readAuthorization } from '#server/http/route.ts';
import type { Caller } from '#server/http/route.ts';
import type { Settings } from '#server/settings/settings.ts';
import { TOKEN_FORM, hashToken, newToken, newUserId } from '#server/token.ts';

// The figures are from docs/develop/security.md#sessions.
export const SESSION_ABSOLUTE_LIFE_MS = 365 * DAY_MS;
export const SESSIONS_PER_USER_MAX = 20;
/** A session is not extended more often than this, because each extension is a write. */
const EXTENSION_INTERVAL_MS = HOUR_MS;

export interface OpenSession {
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly usedAt: number;
  readonly device: string;
  readonly expiresAt: number;
}

interface SessionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessionDays: number;
}

export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /** Returns the caller and extends the session at most once an hour. Throws ApiError 'session_invalid' (403). */
  async authenticate(request: FastifyRequest): Promise<Caller> {
    const token = readAuthorization(request);
    if (token === null || !TOKEN_FORM.test(token)) throw sessionInvalidError();
    const tokenHash = hashToken(token);
    const { database, clock, sessionDays } = this.#options;
    const session = await database.one<Record<'createdAt' | 'usedAt', number> & { userId: string }>(
      sql`SELECT user_id AS "userId", created_at AS "createdAt", used_at AS "usedAt" FROM sessions
        WHERE token_hash = ${tokenHash} AND ${this.#isValid()}`,
    );
    if (!session) throw sessionInvalidError();
    const { userId, createdAt, usedAt } = session;
    const now = clock.now();
    if (now - usedAt > EXTENSION_INTERVAL_MS || startOfDay(now) > usedAt) {
      const expiresAt = sessionExpiry(createdAt, now, sessionDays);
      await database.batch([
        useAccountStatement(userId, now),
        sql`UPDATE sessions SET used_at = ${now}, expires_at = ${expiresAt}
          WHERE token_hash = ${tokenHash}`,
      ]);
    }
    return { userId, tokenHash };
  }

  async list(userId: string): Promise<OpenSession[]> {
    return this.#options.database.all<OpenSession>(sql`
      SELECT token_hash AS "tokenHash", device, created_at AS "createdAt", used_at AS "usedAt",
        expires_at AS "expiresAt"
      FROM sessions
      WHERE user_id = ${userId} AND ${this.#isValid()} ORDER BY used_at DESC, token_hash`);
  }

  /** A session that starts in the future, or has more time left than the idle limit, counts as ended. */
  #isValid(): Sql {
    const now = this.#options.clock.now();
    const latest = now + CLOCK_SKEW_MS_MAX;
    const latestExpiry = latest + this.#options.sessionDays * DAY_MS;
    return sql`expires_at > ${now} AND expires_at <= ${latestExpiry} AND created_at <= ${latest}`;
  }
}

export function sessionExpiry(createdAt: number, now: number, sessionDays: number): number {
  return Math.min(now + sessionDays * DAY_MS, createdAt + SESSION_ABSOLUTE_LIFE_MS);
}

interface SignIn {
  readonly phone: string;
  /** The issuer and its id of the person, if the company's own login has verified them. */
  readonly subject?: string | null;
  /** These run first, consume the proof of the phone, and can stop the sign-in. */
  readonly proof: readonly Statement[];
  readonly signup: Signup;
  readonly sessionToken: string;
  /** Whether the account takes over the number of another one, whose devices are not its own. */
  readonly hasOwnDevices?: boolean;
  readonly device: string;
  readonly now: number;
  readonly expiresAt: number;
}

/**
 * Creates a session, and a user at the first sign-in, in one batch. Throws ApiError 'token_invalid' (403) for
 * a used token, 'not_invited' or 'not_vouched' (403), or 'card_blocked' (410).
 */
export async function signIn(database: Database, { phone, now, ...rest }: SignIn) {
  const sessionHash = hashToken(rest.sessionToken);
  const statements: readonly Statement[] = [
    ...rest.proof,
    ...requireInvitationStatements(rest.signup, phone),
    {
      // The update locks an existing row, so simultaneous sign-ins of a user wait for each other.
      sql: sql`INSERT INTO users (id, login_phone, phone, name, login_email, own_devices,
          used_at, created_at, updated_at)
        VALUES (${newUserId()}, ${phone}, ${phone},
          COALESCE((SELECT name FROM invitations WHERE phone = ${phone}), ''),
          (SELECT login_email FROM invitations WHERE phone = ${phone}),
          ${rest.hasOwnDevices ? 1 : 0}, ${startOfDay(now)}, ${now}, ${now})
        ON CONFLICT (login_phone) DO UPDATE
          SET login_phone = excluded.login_phone, used_at = excluded.used_at
          WHERE users.blocked_at IS NULL
        RETURNING id`,
      errorIfNoRow: phoneBlockedError,
    },
    ...bindSubjectStatements(rest.subject ?? null, phone),
    sql`INSERT INTO sessions (token_hash, user_id, created_at, used_at, expires_at,
      device)
        SELECT ${sessionHash}, id, CAST(${now} AS BIGINT), CAST(${now} AS BIGINT),
          CAST(${rest.expiresAt} AS BIGINT), ${rest.device}
        FROM users WHERE login_phone = ${phone}
        RETURNING user_id`,
    // The new session is excluded by its hash, because another one can have the same created_at. A session
    // that begins in the future counts as ended, so it is not among those that are kept.
    sql`DELETE FROM sessions
        WHERE user_id = (SELECT id FROM users WHERE login_phone = ${phone})
          AND token_hash <> ${sessionHash} AND token_hash NOT IN (
            SELECT token_hash FROM sessions
            WHERE user_id = (SELECT id FROM users WHERE login_phone = ${phone})
              AND token_hash <> ${sessionHash} AND created_at <= ${now + CLOCK_SKEW_MS_MAX}
            ORDER BY created_at DESC, token_hash LIMIT ${SESSIONS_PER_USER_MAX - 1})
        RETURNING token_hash`,
    deleteInvitationStatement(phone),
  ];
  const results = await database
    .batch<{ user_id: string }>(statements)
    .catch(replaceError(UniqueViolation, notVouchedError));
  const [[session] = [], ended = []] = results.slice(-3);
  if (!session) throw new Error('The login created no session.');
  return { userId: session.user_id, hasEndedSession: ended.length > 0 };
}

/** The first subject with a phone is bound to the account. Throws ApiError 'not_vouched' for any other one. */
function bindSubjectStatements(subject: string | null, phone: string): Statement[] {
  if (subject === null) return [];
  return [
    {
      sql: sql`UPDATE users SET oidc_subject = ${subject} WHERE login_phone = ${phone}
        AND COALESCE(oidc_subject, ${subject}) = ${subject} RETURNING id`,
      errorIfNoRow: notVouchedError,
    },
  ];
}

interface SignInContext {
  readonly settings: Pick<Settings, 'signup' | 'sessionDays'>;
  readonly dependencies: Pick<SessionsOptions, 'database' | 'clock'>;
  readonly live: { endInvalid(userId: string): Promise<unknown> };
}

/** Signs a browser in. Throws as `signIn` does. */
export async function startSession(
  { settings, dependencies, live }: SignInContext,
  request: FastifyRequest,
  proven: Pick<SignIn, 'phone' | 'subject' | 'proof' | 'hasOwnDevices'>,
) {
  const now = dependencies.clock.now();
  const sessionToken = newToken();
  const { userId, hasEndedSession } = await signIn(dependencies.database, {
    ...proven,
    signup: settings.signup,
    sessionToken,
    device: deviceName(request.headers['user-agent']),
    now,
    expiresAt: sessionExpiry(now, now, settings.sessionDays),
  });
  if (hasEndedSession) await live.endInvalid(userId);
  return { _id: userId, sessionToken };
}

const NAME_LENGTH_MAX = 60;
/** No browser sends a longer header. */
const AGENT_LENGTH_MAX = 512;

/** Returns for example 'Chrome on Android', or '' if neither is known. Only this name is stored. */
export function deviceName(userAgent: string | undefined): string {
  if (!userAgent || userAgent.length > AGENT_LENGTH_MAX) return '';
  const { browser, os } = parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(' on ').slice(0, NAME_LENGTH_MAX);
}
