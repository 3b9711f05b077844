import type { FastifyRequest } from 'fastify';

import { ApiError } from './api-error.ts';
import { countRawHeaders } from './headers.ts';

/** The user of a valid session. */
export interface Caller {
  readonly userId: string;
  readonly tokenHash: string;
}

/** Returns the Authorization header; null if it is absent, empty or sent twice. */
export function readAuthorization(request: FastifyRequest): string | null {
  const value = request.headers.authorization?.trim();
  const count = countRawHeaders(request.raw.rawHeaders, 'authorization');
  return count === 1 && value ? value : null;
}

/** The error for a session that is missing, ended or another user's. */
export function sessionInvalid(): ApiError {
  return new ApiError('session_invalid', 'This session has ended or is not yours. Sign in again.');
}

/** The error for a provider token that is not valid or was used before. */
export function tokenInvalid(): ApiError {
  return new ApiError('token_invalid', 'This sign-in is not valid any more. Ask for a new code.');
}
