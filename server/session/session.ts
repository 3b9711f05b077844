import type { FastifyRequest } from 'fastify';

import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { CLOCK_DIFFERENCE_MS_MAX } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { readAuthorization, sessionInvalid } from '#server/http/caller.ts';
import type { Caller } from '#server/http/caller.ts';
import { hashToken } from '#server/token.ts';

/** The absolute life of a session, even if it is in use (docs/security.md#sessions). */
export const SESSION_ABSOLUTE_LIFE_MS = 365 * DAY_MS;
/** A sign-in beyond this number ends the user's oldest sessions (docs/security.md#sessions). */
export const SESSIONS_PER_USER_MAX = 20;
/** The expiry is extended at most this often, because each extension is a write. */
const SESSION_SLIDE_EVERY_MS = HOUR_MS;

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface SessionRow {
  user_id: string;
  created_at: number;
  used_at: number;
}

interface AuthenticatorOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessionDays: number;
}

/**
 * Returns a function that finds the caller of a request by one indexed read and extends the
 * session at most once an hour. The function throws ApiError 'session_invalid' (403) for a token
 * that is missing, unknown, expired or revoked. A session with a future start, or with more time
 * left than the idle limit, counts as expired (docs/security.md#sessions).
 */
export function createAuthenticator({ database, clock, sessionDays }: AuthenticatorOptions) {
  return async (request: FastifyRequest): Promise<Caller> => {
    const token = readAuthorization(request);
    if (token === null || !TOKEN.test(token)) throw sessionInvalid();
    const tokenHash = hashToken(token);
    const now = clock.now();
    const latest = now + CLOCK_DIFFERENCE_MS_MAX;
    const session = await database.one<SessionRow>(
      `SELECT user_id, created_at, used_at FROM sessions
       WHERE token_hash = $1 AND expires_at > $2 AND expires_at <= $3 AND created_at <= $4`,
      [tokenHash, now, latest + sessionDays * DAY_MS, latest],
    );
    if (!session) throw sessionInvalid();
    if (now - session.used_at > SESSION_SLIDE_EVERY_MS) {
      await database.run(
        'UPDATE sessions SET used_at = $1, expires_at = $2 WHERE token_hash = $3',
        [now, sessionExpiry(session.created_at, now, sessionDays), tokenHash],
      );
    }
    return { userId: session.user_id, tokenHash };
  };
}

/** Returns when a session used at `now` expires: at the idle or the absolute limit. */
export function sessionExpiry(createdAt: number, now: number, sessionDays: number): number {
  return Math.min(now + sessionDays * DAY_MS, createdAt + SESSION_ABSOLUTE_LIFE_MS);
}
