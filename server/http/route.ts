import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';

import type { Access, Endpoint, ParsedRequest, Reply } from '#contract/endpoint.ts';

import { ApiError } from './api-error.ts';
import { sessionInvalid } from './caller.ts';
import type { Caller } from './caller.ts';

/** The prefix of every endpoint. */
export const API_PREFIX = '/api';

/** What a route needs of the application. */
export interface RouteHost {
  readonly fastify: FastifyInstance;
  readonly authenticate: (request: FastifyRequest) => Promise<Caller>;
}

/** A call, checked and parsed. */
export interface Call<E extends Endpoint> extends ParsedRequest<E> {
  readonly caller: E['access'] extends 'open' ? null : Caller;
  readonly request: FastifyRequest;
}

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Reply<E>>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Who may call this route; a test walks the route table by it. */
    access?: Access;
    /** What it was made from; the API document is made of these. */
    endpoint?: Endpoint;
  }
  interface FastifyRequest {
    caller: Caller | null;
  }
}

/**
 * Puts an endpoint on the server. Signed-in by default: before a byte of the body is read, the
 * caller's session must be good and, for an owner's endpoint, its user the one in the path. Input
 * is parsed by the contract (400 names the field); the answer is filtered by it, so that what is
 * not promised never leaves.
 */
export function route<const E extends Endpoint>(
  { fastify, authenticate }: RouteHost,
  endpoint: E,
  handler: Handler<E>,
): void {
  const access = endpoint.access ?? 'owner';
  fastify.route({
    method: endpoint.method,
    url: `${API_PREFIX}${endpoint.path}`,
    exposeHeadRoute: endpoint.method === 'GET',
    config: { access, endpoint },
    onRequest: async (request: FastifyRequest) => {
      if (access === 'open') return;
      request.caller = await authenticate(request);
      const { id } = request.params as { id?: string };
      if (access === 'owner' && request.caller.userId !== id) throw sessionInvalid();
    },
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const call = {
        params: parse(endpoint.params, request.params),
        query: parse(endpoint.query, request.query),
        body: endpoint.body === 'multipart' ? undefined : parse(endpoint.body, request.body),
        caller: request.caller,
        request,
      };
      const answer = await handler(call as Call<E>);
      void reply.header('cache-control', 'no-store');
      return endpoint.reply.parse(answer);
    },
  });
}

function parse(schema: z.ZodMiniType | 'multipart' | undefined, given: unknown): unknown {
  if (schema === undefined || schema === 'multipart') return undefined;
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') || 'The body';
  const message = issue?.message ?? 'is not valid';
  throw new ApiError('invalid_input', `${field} ${message}`);
}
