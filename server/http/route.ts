import type { Readable } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';

import type { Access, Endpoint, ParsedRequest, Reply } from '#contract/endpoint.ts';

import { ApiError } from '#server/error.ts';
import type { Caller } from './caller.ts';
import { accessOf, guardHooks } from './guard.ts';
import type { GuardContext } from './guard.ts';

/** The prefix of every endpoint. */
export const API_PREFIX = '/api';
const NO_STORE = 'no-store';

/** The properties of AppContext that a route uses. */
export interface RouteContext extends GuardContext {
  readonly fastify: FastifyInstance;
  readonly isLoggedOnlyOnFailure?: boolean;
}

/** A call after parsing. */
export interface Call<E extends Endpoint> extends ParsedRequest<E> {
  readonly caller: E['access'] extends 'open' ? null : Caller;
  readonly request: FastifyRequest;
  /** For headers; the handler returns the body. */
  readonly reply: FastifyReply;
}

/** Returns the body of the response, or the stream of a file. */
type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Reply<E> | Readable>;

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The access of this route. tests/access.test.ts checks the whole route table. */
    access?: Access;
    /** The endpoint of this route. The API document is generated from it. */
    endpoint?: Endpoint;
  }
}

/**
 * Registers an endpoint. Unless the endpoint is open, the caller needs a session, by default that of
 * the user in the path; it is checked before the body is read. Throws ApiError 'session_invalid', or
 * 'invalid_input' with the name of the field. Keys that the contract does not define are removed from
 * the reply.
 */
export function route<const E extends Endpoint>(
  context: RouteContext,
  endpoint: E,
  handler: Handler<E>,
): void {
  const { isLoggedOnlyOnFailure } = context;
  context.fastify.route({
    method: endpoint.method,
    url: `${API_PREFIX}${endpoint.path}`,
    exposeHeadRoute: endpoint.method === 'GET' && endpoint.replyType === undefined,
    config: { access: accessOf(endpoint), endpoint, isLoggedOnlyOnFailure },
    ...guardHooks(context, endpoint),
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const call = {
        params: parseInput(endpoint.params, request.params),
        query: parseInput(endpoint.query, request.query),
        body: endpoint.body === 'multipart' ? undefined : parseInput(endpoint.body, request.body),
        caller: request.caller,
        request,
        reply,
      };
      const result = await handler(call as Call<E>);
      void reply.header('cache-control', NO_STORE);
      if (endpoint.replyType) return reply.type(endpoint.replyType).send(result);
      return endpoint.reply.parse(result);
    },
  });
}

/** Returns the parsed input. Throws ApiError 'invalid_input' with the name of the field. */
export function parseInput(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') || 'The body';
  const message = issue?.message ?? 'is not valid';
  throw new ApiError('invalid_input', `${field} ${message}`);
}
