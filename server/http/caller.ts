import type { FastifyRequest } from 'fastify';

import { hashToken } from '#server/token.ts';

import { sessionInvalidError } from '#server/error.ts';
import { countRawHeaders } from './headers.ts';

/** The user of a valid session. */
export interface Caller {
  readonly userId: string;
  readonly tokenHash: string;
}

const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** Returns the Authorization header; null if it is absent, empty or sent twice. */
export function readAuthorization(request: FastifyRequest): string | null {
  const value = request.headers.authorization?.trim();
  const count = countRawHeaders(request.raw.rawHeaders, 'authorization');
  return count === 1 && value ? value : null;
}

/**
 * Returns the hash of a request's session token. Throws ApiError 'session_invalid' (403) for a token
 * that is missing or cannot be one.
 */
export function readTokenHash(request: FastifyRequest): string {
  const token = readAuthorization(request);
  if (token === null || !SESSION_TOKEN.test(token)) throw sessionInvalidError();
  return hashToken(token);
}
