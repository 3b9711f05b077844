import type { FastifyReply, FastifyRequest } from 'fastify';

import { API_ERRORS } from '#contract/api-error.ts';
import type { Access, Endpoint } from '#contract/endpoint.ts';

import { OPEN_JSON_SIZE_BYTES_MAX } from './body.ts';
import { sessionInvalidError } from '#server/error.ts';
import type { Caller } from './caller.ts';
import { rateLimitKey } from '#server/limit/address.ts';
import type { MemoryRateLimit } from '#server/limit/rate-limit.ts';

/** The statuses of an invalid body. */
const INVALID_STATUSES = new Set<number>([API_ERRORS.invalid_input, API_ERRORS.too_large]);

/** The properties of AppContext that a guard uses. */
export interface GuardContext {
  readonly sessions: {
    /** Returns the signed-in caller. Throws ApiError 'session_invalid' (403). */
    authenticate(request: FastifyRequest): Promise<Caller>;
  };
  readonly invalidBodyRateLimit: MemoryRateLimit;
}

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/** Returns the access of an endpoint: by default only the user in the path. */
export function accessOf({ access = 'owner' }: Endpoint): Access {
  return access;
}

/** Returns the options of a route that decide who may call it. Its hooks throw ApiError. */
export function guardHooks(context: GuardContext, endpoint: Endpoint) {
  if (endpoint.access === 'open') return endpoint.method === 'GET' ? {} : openGuard(context);
  return sessionGuard(context, endpoint);
}

/**
 * For open calls that may have a body: rejects an address with too many invalid bodies before the
 * next body is read.
 */
function openGuard({ invalidBodyRateLimit }: GuardContext) {
  return {
    bodyLimit: OPEN_JSON_SIZE_BYTES_MAX,
    onRequest: async ({ ip }: FastifyRequest) => invalidBodyRateLimit.check(rateLimitKey(ip)),
    onSend: async ({ ip }: FastifyRequest, reply: FastifyReply, payload: unknown) => {
      if (INVALID_STATUSES.has(reply.statusCode)) invalidBodyRateLimit.count(rateLimitKey(ip));
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

function checkOwner({ params }: FastifyRequest, { userId }: Caller): void {
  if (userId !== (params as { id?: string }).id) throw sessionInvalidError();
}
