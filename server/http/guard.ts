import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { API_ERRORS } from '#contract/api-error.ts';
import type { Endpoint } from '#contract/endpoint.ts';

import { ApiError } from './api-error.ts';
import { OPEN_JSON_SIZE_BYTES_MAX } from './body.ts';
import { claimOf, sessionInvalidError } from './caller.ts';
import type { Caller, SessionClaim } from './caller.ts';
import type { InvalidBodyRateLimit } from './rate-limit.ts';

/** The statuses of an invalid body. */
const INVALID_STATUSES = new Set<number>([API_ERRORS.invalid_input, API_ERRORS.too_large]);
const SERVER_ERROR = 500;

/** When the session of a call is checked: before its body is read, or by the handler's statement. */
export type SessionCheck = 'first' | 'in_statement';

/** The properties of AppContext that a guard uses. */
export interface GuardContext {
  readonly sessions: {
    /** Returns the signed-in caller. Throws ApiError 'session_invalid' (403). */
    authenticate(request: FastifyRequest): Promise<Caller>;
  };
  readonly invalidBodyRateLimit: InvalidBodyRateLimit;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | SessionClaim | null;
  }
}

/** Returns the options of a route that decide who may call it. Its hooks throw ApiError. */
export function guardOf(context: GuardContext, endpoint: Endpoint, sessionCheck: SessionCheck) {
  if (endpoint.access === 'open') return endpoint.body === undefined ? {} : formGuard(context);
  return sessionCheck === 'in_statement' ? claimGuard(context) : sessionGuard(context, endpoint);
}

/** An open form: an address with many invalid bodies is rejected before the next body is read. */
function formGuard({ invalidBodyRateLimit }: GuardContext) {
  return {
    bodyLimit: OPEN_JSON_SIZE_BYTES_MAX,
    onRequest: async (request: FastifyRequest) => invalidBodyRateLimit.check(request),
    onSend: async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
      if (INVALID_STATUSES.has(reply.statusCode)) invalidBodyRateLimit.count(request);
      return payload;
    },
  };
}

/** The session is checked before the body is read, and must belong to the user in the path. */
function sessionGuard({ sessions }: GuardContext, { access = 'owner' }: Endpoint) {
  return {
    onRequest: async (request: FastifyRequest) => {
      const caller = await sessions.authenticate(request);
      if (access === 'owner') checkOwner(request, caller);
      request.caller = caller;
    },
  };
}

/**
 * The handler's statement checks the session. An error of the caller is sent only after a check of
 * the session, so 403 precedes all others. An address with many bodies without a session is
 * authenticated before the next body is read.
 */
function claimGuard({ sessions, invalidBodyRateLimit }: GuardContext) {
  const verify = async (request: FastifyRequest) =>
    checkOwner(request, await sessions.authenticate(request));
  return {
    onRequest: async (request: FastifyRequest) => {
      const claim = claimOf(request);
      if (invalidBodyRateLimit.isExceeded(request)) await verify(request);
      request.caller = claim;
    },
    errorHandler: async (error: FastifyError | ApiError, request: FastifyRequest) => {
      if (request.caller === null || statusOf(error) >= SERVER_ERROR) throw error;
      try {
        if (isSessionInvalid(error)) throw error;
        await verify(request);
      } catch (rejection) {
        if (isSessionInvalid(rejection)) invalidBodyRateLimit.count(request);
        throw rejection;
      }
      throw error;
    },
  };
}

function checkOwner({ params }: FastifyRequest, { userId }: Caller): void {
  if (userId !== (params as { id?: string }).id) throw sessionInvalidError();
}

function statusOf(error: FastifyError | ApiError): number {
  return error instanceof ApiError ? error.status : (error.statusCode ?? SERVER_ERROR);
}

function isSessionInvalid(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'session_invalid';
}
