import type { FastifyRequest } from 'fastify';
import { parse } from 'bowser';

import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { CLOCK_SKEW_MS_MAX } from '#server/clock.ts';
import type { Clock } from '#server/clock.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Sql } from '#server/adapter/database/sql.ts';
import { sessionInvalidError } from '#server/error.ts';
import { readTokenHash } from '#server/http/route.ts';
import type { Caller } from '#server/http/route.ts';

// From docs/security.md#sessions.
export const SESSION_ABSOLUTE_LIFE_MS = 365 * DAY_MS;
export const SESSIONS_PER_USER_MAX = 20;
/** Each extension is a write. */
const SESSION_SLIDE_EVERY_MS = HOUR_MS;

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

  /** Extends the session, at most once an hour. Throws ApiError 'session_invalid' (403). */
  async authenticate(request: FastifyRequest): Promise<Caller> {
    const tokenHash = readTokenHash(request);
    const { database, clock, sessionDays } = this.#options;
    const session = await database.one<Record<'createdAt' | 'usedAt', number> & { userId: string }>(
      sql`SELECT user_id AS "userId", created_at AS "createdAt", used_at AS "usedAt" FROM sessions
        WHERE token_hash = ${tokenHash} AND ${this.#isValid()}`,
    );
    if (!session) throw sessionInvalidError();
    const { userId, createdAt, usedAt } = session;
    const now = clock.now();
    if (now - usedAt > SESSION_SLIDE_EVERY_MS) {
      const expiresAt = sessionExpiry(createdAt, now, sessionDays);
      await database.run(sql`UPDATE sessions SET used_at = ${now}, expires_at = ${expiresAt}
        WHERE token_hash = ${tokenHash}`);
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

  /** A session with a future start, or with more time left than the idle limit, has ended. */
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

/** Longer than the names of browsers and systems. */
const NAME_LENGTH_MAX = 60;
/** Longer than the header of any browser. */
const AGENT_LENGTH_MAX = 512;

/** For example 'Chrome on Android'; '' if neither is known. Only this name is stored. */
export function deviceName(userAgent: string | undefined): string {
  if (!userAgent || userAgent.length > AGENT_LENGTH_MAX) return '';
  const { browser, os } = parse(userAgent);
  return [browser.name, os.name].filter(Boolean).join(' on ').slice(0, NAME_LENGTH_MAX);
}
