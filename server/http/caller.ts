import type { FastifyRequest } from 'fastify';

import { ApiError } from './api-error.ts';

/** The user of a valid session. */
export interface Caller {
  readonly userId: string;
  readonly tokenHash: string;
}

/** Returns the Authorization header; null if it is absent, empty or sent twice. */
export function readAuthorization(request: FastifyRequest): string | null {
  // Node drops all but the first of repeated headers, so the raw headers are counted.
  const { rawHeaders } = request.raw;
  const sent = rawHeaders.filter((name, at) => at % 2 === 0 && /^authorization$/i.test(name));
  const value = request.headers.authorization?.trim();
  return sent.length === 1 && value ? value : null;
}

/** The error for a session that is missing, ended or another user's. */
export function sessionInvalid(): ApiError {
  return new ApiError('session_invalid', 'This session has ended or is not yours. Sign in again.');
}

/** The error for a provider token that is not valid or was used before. */
export function tokenInvalid(): ApiError {
  return new ApiError('token_invalid', 'This sign-in is not valid any more. Ask for a new code.');
}
