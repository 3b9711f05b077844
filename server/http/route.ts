import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';

import { API_ERRORS } from '#contract/api-error.ts';
import type { Access, Endpoint, ParsedRequest, Reply } from '#contract/endpoint.ts';

import { ApiError } from './api-error.ts';
import { sessionInvalid } from './caller.ts';
import type { Caller } from './caller.ts';
import type { InvalidBodyRateLimit } from './rate-limit.ts';

/** The prefix of every endpoint. */
export const API_PREFIX = '/api';
const INVALID_STATUS = API_ERRORS.invalid_input;

/** The properties of AppContext that a route uses. */
export interface RouteContext {
  readonly fastify: FastifyInstance;
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
  readonly invalidBodyRateLimit: InvalidBodyRateLimit;
}

/** A call after authentication and parsing. */
export interface Call<E extends Endpoint> extends ParsedRequest<E> {
  readonly caller: E['access'] extends 'open' ? null : Caller;
  readonly request: FastifyRequest;
  /** For headers; the handler returns the body. */
  readonly reply: FastifyReply;
}

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Reply<E>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route. tests/access.test.ts checks it for the whole route table. */
    access?: Access;
    /** The endpoint of this route. The API document is generated from it. */
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/**
 * Registers an endpoint. Unless it is open, the caller is authenticated before the body is read; by
 * default the session must also belong to the user in the path. Throws ApiError 'session_invalid',
 * or 'invalid_input' with the name of the field. Keys that the contract does not define are removed
 * from the reply.
 */
export function route<const E extends Endpoint>(
  { fastify, authenticate, invalidBodyRateLimit }: RouteContext,
  endpoint: E,
  handler: Handler<E>,
): void {
  const access = endpoint.access ?? 'owner';
  const isOpenForm = access === 'open' && endpoint.body !== undefined;
  const countInvalidBody = async (
    request: FastifyRequest,
    reply: FastifyReply,
    payload: unknown,
  ) => {
    if (reply.statusCode === INVALID_STATUS) invalidBodyRateLimit.count(request);
    return payload;
  };
  fastify.route({
    method: endpoint.method,
    url: `${API_PREFIX}${endpoint.path}`,
    exposeHeadRoute: endpoint.method === 'GET',
    config: { access, endpoint },
    onRequest: async (request: FastifyRequest) => {
      if (isOpenForm) invalidBodyRateLimit.check(request);
      if (access === 'open') return;
      request.caller = await authenticate(request);
      const { id } = request.params as { id?: string };
      if (access === 'owner' && request.caller.userId !== id) throw sessionInvalid();
    },
    ...(isOpenForm ? { onSend: countInvalidBody } : {}),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const call = {
        params: parse(endpoint.params, request.params),
        query: parse(endpoint.query, request.query),
        body: endpoint.body === 'multipart' ? undefined : parse(endpoint.body, request.body),
        caller: request.caller,
        request,
        reply,
      };
      const result = await handler(call as Call<E>);
      void reply.header('cache-control', 'no-store');
      return endpoint.reply.parse(result);
    },
  });
}

function parse(schema: z.ZodMiniType | 'multipart' | undefined, value: unknown): unknown {
  if (schema === undefined || schema === 'multipart') return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') || 'The body';
  const message = issue?.message ?? 'is not valid';
  throw new ApiError('invalid_input', `${field} ${message}`);
}
