import type { FastifyRequest } from 'fastify';

import { DAY, SESSION_ABSOLUTE_LIFE_MS, SESSION_SLIDE_EVERY_MS } from '#domain/signin.ts';
import type { Parts } from '#server/parts.ts';
import { hashToken } from '#server/random.ts';
import type { Settings } from '#server/settings.ts';

import { Fault } from './fault.ts';

/** Who is calling, by a session that is good. */
export interface Caller {
  readonly userId: string;
  readonly tokenHash: string;
}

interface SessionRow {
  user_id: string;
  created_at: number;
  used_at: number;
}

const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** The Authorization header as it was sent, once and not empty; null for anything else. */
export function readAuthorization(request: FastifyRequest): string | null {
  // Node keeps the first of two and hides the other; who sends two means to confuse somebody.
  const { rawHeaders } = request.raw;
  const sent = rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name));
  const value = request.headers.authorization?.trim();
  return sent.length === 1 && value ? value : null;
}

/** The Authorization header's session token, or null where there is none that could be ours. */
function readToken(request: FastifyRequest): string | null {
  const token = readAuthorization(request);
  return token !== null && TOKEN.test(token) ? token : null;
}

/**
 * Who calls, by one indexed read; a session in use slides forward, at most once an hour.
 * Throws Fault 'session_invalid' (403) for a token that is missing, unknown, expired or revoked.
 */
export async function findCaller(
  request: FastifyRequest,
  settings: Settings,
  parts: Parts,
): Promise<Caller> {
  const token = readToken(request);
  const now = parts.clock.now();
  const tokenHash = token === null ? null : hashToken(token);
  const session =
    tokenHash === null
      ? null
      : await parts.database.one<SessionRow>(
          'SELECT user_id, created_at, used_at FROM sessions WHERE token_hash = $1 AND expires_at > $2',
          [tokenHash, now],
        );
  if (!session || tokenHash === null) throw sessionInvalid();
  if (now - session.used_at > SESSION_SLIDE_EVERY_MS) {
    const expiresAt = sessionExpiry(session.created_at, now, settings.sessionDays);
    await parts.database.run(
      'UPDATE sessions SET used_at = $1, expires_at = $2 WHERE token_hash = $3',
      [now, expiresAt, tokenHash],
    );
  }
  return { userId: session.user_id, tokenHash };
}

/** When a session ends that is used now: idle and absolute limits, whichever comes first. */
export function sessionExpiry(createdAt: number, now: number, sessionDays: number): number {
  return Math.min(now + sessionDays * DAY, createdAt + SESSION_ABSOLUTE_LIFE_MS);
}

export function sessionInvalid(): Fault {
  return new Fault('session_invalid', 'This session has ended or is not yours. Sign in again.');
}

/** A sign-in that nobody vouches for, or that has been used. */
export function tokenInvalid(): Fault {
  return new Fault('token_invalid', 'This sign-in is not valid any more. Ask for a new code.');
}
