import type { FastifyRequest } from 'fastify';

import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import type { Sql } from '#server/db/sql.ts';
import { sessionInvalidError } from '#server/error.ts';
import { readTokenHash } from '#server/http/caller.ts';
import type { Caller } from '#server/http/caller.ts';

/** The absolute life of a session, even if it is in use (docs/security.md#sessions). */
export const SESSION_ABSOLUTE_LIFE_MS = 365 * DAY_MS;
/** A sign-in beyond this number ends the user's oldest sessions (docs/security.md#sessions). */
export const SESSIONS_PER_USER_MAX = 20;
/** The expiry is extended at most this often, because each extension is a write. */
const SESSION_SLIDE_EVERY_MS = HOUR_MS;

interface SessionRow {
  user_id: string;
  created_at: number;
  used_at: number;
}

/** A session that has not ended. Times are in milliseconds since 1970. */
export interface OpenSession {
  readonly tokenHash: string;
  readonly createdAt: number;
  readonly usedAt: number;
  /** The result of `deviceName`. */
  readonly device: string;
  readonly expiresAt: number;
}

interface OpenSessionRow extends Omit<SessionRow, 'user_id'> {
  token_hash: string;
  device: string;
  expires_at: number;
}

interface SessionsOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly sessionDays: number;
}

/** Finds the sessions of requests and extends them at most once an hour. */
export class Sessions {
  readonly #options: SessionsOptions;

  constructor(options: SessionsOptions) {
    this.#options = options;
  }

  /**
   * Returns the caller of a request by one indexed read, and extends the session. Throws ApiError
   * 'session_invalid' (403) for a token that is missing, unknown, expired or revoked.
   */
  async authenticate(request: FastifyRequest): Promise<Caller> {
    const tokenHash = readTokenHash(request);
    const session = await this.#options.database.one<SessionRow>(sql`
      SELECT user_id, created_at, used_at FROM sessions
      WHERE token_hash = ${tokenHash} AND ${this.#isValid()}`);
    if (!session) throw sessionInvalidError();
    await this.#extend(tokenHash, session);
    return { userId: session.user_id, tokenHash };
  }

  /** Returns the sessions of a user that have not ended, the last used first. */
  async list(userId: string): Promise<OpenSession[]> {
    const rows = await this.#options.database.all<OpenSessionRow>(sql`
      SELECT token_hash, device, created_at, used_at, expires_at FROM sessions
      WHERE user_id = ${userId} AND ${this.#isValid()} ORDER BY used_at DESC, token_hash`);
    return rows.map((row) => ({
      tokenHash: row.token_hash,
      device: row.device,
      createdAt: row.created_at,
      usedAt: row.used_at,
      expiresAt: row.expires_at,
    }));
  }

  /**
   * Returns the condition of sessions that have not ended. A session with a future start, or with more
   * time left than the idle limit, has ended (docs/security.md#sessions).
   */
  #isValid(): Sql {
    const now = this.#options.clock.now();
    const latest = now + CLOCK_SKEW_MS_MAX;
    const latestExpiry = latest + this.#options.sessionDays * DAY_MS;
    return sql`expires_at > ${now} AND expires_at <= ${latestExpiry} AND created_at <= ${latest}`;
  }

  async #extend(tokenHash: string, session: SessionRow): Promise<void> {
    const { database, clock, sessionDays } = this.#options;
    const now = clock.now();
    if (now - session.used_at <= SESSION_SLIDE_EVERY_MS) return;
    const expiresAt = sessionExpiry(session.created_at, now, sessionDays);
    await database.run(sql`UPDATE sessions SET used_at = ${now}, expires_at = ${expiresAt}
      WHERE token_hash = ${tokenHash}`);
  }
}

/** Returns when a session used at `now` expires: at the idle or the absolute limit. */
export function sessionExpiry(createdAt: number, now: number, sessionDays: number): number {
  return Math.min(now + sessionDays * DAY_MS, createdAt + SESSION_ABSOLUTE_LIFE_MS);
}
