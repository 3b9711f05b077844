import type { FastifyBaseLogger, FastifyRequest } from 'fastify';

import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import type { Database, Value } from '#server/db/database.ts';
import { sessionInvalidError, readTokenHash } from '#server/http/caller.ts';
import type { Caller } from '#server/http/caller.ts';

/** The absolute life of a session, even if it is in use (docs/security.md#sessions). */
export const SESSION_ABSOLUTE_LIFE_MS = 365 * DAY_MS;
/** A sign-in beyond this number ends the user's oldest sessions (docs/security.md#sessions). */
export const SESSIONS_PER_USER_MAX = 20;
/** The expiry is extended at most this often, because each extension is a write. */
const SESSION_SLIDE_EVERY_MS = HOUR_MS;

/**
 * Returns the condition of a session that has not ended, with four placeholders from `$first`: the
 * values of `sessionValues`. A session with a future start, or with more time left than the idle
 * limit, has ended (docs/security.md#sessions).
 */
export function sessionCondition(first: number): string {
  return `token_hash = $${first} AND ${validSessionsCondition(first + 1)}`;
}

/** As `sessionCondition`, for all sessions; the placeholders are the values of `#times`. */
function validSessionsCondition(first: number): string {
  return `expires_at > $${first} AND expires_at <= $${first + 1} AND created_at <= $${first + 2}`;
}

/** When a session began and was last extended. */
export interface SessionTimes {
  readonly createdAt: number;
  readonly usedAt: number;
}

interface SessionRow {
  user_id: string;
  created_at: number;
  used_at: number;
}

/** A session that has not ended. Times are in milliseconds since 1970. */
export interface OpenSession extends SessionTimes {
  readonly tokenHash: string;
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
  readonly log: FastifyBaseLogger;
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
    const session = await this.#options.database.one<SessionRow>(
      `SELECT user_id, created_at, used_at FROM sessions WHERE ${sessionCondition(1)}`,
      this.values(tokenHash),
    );
    if (!session) throw sessionInvalidError();
    await this.#extend(tokenHash, { createdAt: session.created_at, usedAt: session.used_at });
    return { userId: session.user_id, tokenHash };
  }

  /** Returns the sessions of a user that have not ended, the last used first. */
  async list(userId: string): Promise<OpenSession[]> {
    const rows = await this.#options.database.all<OpenSessionRow>(
      `SELECT token_hash, device, created_at, used_at, expires_at FROM sessions
       WHERE user_id = $1 AND ${validSessionsCondition(2)} ORDER BY used_at DESC, token_hash`,
      [userId, ...this.#times()],
    );
    return rows.map((row) => ({
      tokenHash: row.token_hash,
      device: row.device,
      createdAt: row.created_at,
      usedAt: row.used_at,
      expiresAt: row.expires_at,
    }));
  }

  /** Returns the values of `sessionCondition` for a token. */
  values(tokenHash: string): readonly [Value, Value, Value, Value] {
    return [tokenHash, ...this.#times()];
  }

  /** Returns the values of `validSessionsCondition`. */
  #times(): readonly [Value, Value, Value] {
    const now = this.#options.clock.now();
    const latest = now + CLOCK_SKEW_MS_MAX;
    return [now, latest + this.#options.sessionDays * DAY_MS, latest];
  }

  /**
   * Extends a session that a statement has found, without a wait for the database. After a failure
   * the next call extends it.
   */
  extendLater(tokenHash: string, times: SessionTimes): void {
    this.#extend(tokenHash, times).catch((error: unknown) =>
      this.#options.log.warn({ err: error }, 'a session was not extended'),
    );
  }

  async #extend(tokenHash: string, { createdAt, usedAt }: SessionTimes): Promise<void> {
    const { database, clock, sessionDays } = this.#options;
    const now = clock.now();
    if (now - usedAt <= SESSION_SLIDE_EVERY_MS) return;
    await database.run('UPDATE sessions SET used_at = $1, expires_at = $2 WHERE token_hash = $3', [
      now,
      sessionExpiry(createdAt, now, sessionDays),
      tokenHash,
    ]);
  }
}

/** Returns when a session used at `now` expires: at the idle or the absolute limit. */
export function sessionExpiry(createdAt: number, now: number, sessionDays: number): number {
  return Math.min(now + sessionDays * DAY_MS, createdAt + SESSION_ABSOLUTE_LIFE_MS);
}
