import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import { API_ERRORS } from '#contract/api-error.ts';
import type { Access, Endpoint } from '#contract/endpoint.ts';

import { ApiError } from '#server/error.ts';
import { OPEN_JSON_SIZE_BYTES_MAX } from './body.ts';
import { readUnverifiedSession, sessionInvalidError } from './caller.ts';
import type { Caller, UnverifiedSession } from './caller.ts';
import type { InvalidBodyRateLimit } from './rate-limit.ts';

/** The statuses of an invalid body. */
const INVALID_STATUSES = new Set<number>([API_ERRORS.invalid_input, API_ERRORS.too_large]);
const SERVER_ERROR = 500;

/** When the session is checked: before the body is read, or by the handler's SQL query. */
export type SessionCheck = 'before_handler' | 'in_query';

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
    caller: Caller | UnverifiedSession | null;
  }
}

/** Returns the access of an endpoint: by default only the user in the path. */
export function accessOf({ access = 'owner' }: Endpoint): Access {
  return access;
}

/** Returns the options of a route that decide who may call it. Its hooks throw ApiError. */
export function guardHooks(context: GuardContext, endpoint: Endpoint, sessionCheck: SessionCheck) {
  if (endpoint.access === 'open') return endpoint.method === 'GET' ? {} : openGuard(context);
  return sessionCheck === 'in_query' ? querySessionGuard(context) : sessionGuard(context, endpoint);
}

/**
 * For open calls that may have a body: rejects an address with too many invalid bodies before the
 * next body is read.
 */
function openGuard({ invalidBodyRateLimit }: GuardContext) {
  return {
    bodyLimit: OPEN_JSON_SIZE_BYTES_MAX,
    onRequest: async (request: FastifyRequest) => invalidBodyRateLimit.check(request),
    onSend: async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
      if (INVALID_STATUSES.has(reply.statusCode)) invalidBodyRateLimit.countInvalid(request);
      return payload;
    },
  };
}

/** The session is checked before the body is read, and must belong to the user in the path. */
function sessionGuard({ sessions }: GuardContext, endpoint: Endpoint) {
  return {
    onRequest: async (request: FastifyRequest) => {
      const caller = await sessions.authenticate(request);
      if (accessOf(endpoint) === 'owner') checkOwner(request, caller);
      request.caller = caller;
    },
  };
}

/**
 * For routes whose SQL checks the session. The body is parsed first. If the request then fails with a
 * 4xx, the session is checked before the error is sent, so an unauthenticated caller always gets 403.
 * An address with too many such 403s is authenticated before its body is read.
 */
function querySessionGuard({ sessions, invalidBodyRateLimit }: GuardContext) {
  const verify = async (request: FastifyRequest) =>
    checkOwner(request, await sessions.authenticate(request));
  return {
    onRequest: async (request: FastifyRequest) => {
      const session = readUnverifiedSession(request);
      if (invalidBodyRateLimit.isExceeded(request)) await verify(request);
      request.caller = session;
    },
    errorHandler: async (error: FastifyError | ApiError, request: FastifyRequest) => {
      // The error was thrown before the token was read.
      if (request.caller === null || statusOf(error) >= SERVER_ERROR) throw error;
      try {
        if (isSessionInvalid(error)) throw error;
        await verify(request);
      } catch (rejection) {
        if (isSessionInvalid(rejection)) invalidBodyRateLimit.countInvalid(request);
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
