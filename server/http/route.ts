import type { Readable } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';

import { API_ERRORS } from '#contract/api-error.ts';
import type { Access, Endpoint, ParsedRequest, Reply } from '#contract/endpoint.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';
import { hashToken } from '#server/token.ts';

import { isSmallBody } from './limit/rate-limit.ts';
import type { InvalidBodyRateLimit, MemoryRateLimit } from './limit/rate-limit.ts';
import { countRawHeaders } from './headers.ts';

export const API_PREFIX = '/api';
const NO_STORE = 'no-store';
/** In bytes (docs/security.md#limits). The longest translations in every language have 80 KB. */
const JSON_SIZE_BYTES_MAX = 128 * 1024;
/** The longest contact has 13 KB, escaped. Decoding 64 KiB can take 0.6 ms. */
export const OPEN_JSON_SIZE_BYTES_MAX = 16 * 1024;
const INVALID_STATUSES = new Set<number>([API_ERRORS.invalid_input, API_ERRORS.too_large]);
const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

export interface Caller {
  readonly userId: string;
  readonly tokenHash: string;
}

export interface RouteContext {
  readonly fastify: FastifyInstance;
  readonly sessions: {
    authenticate(request: FastifyRequest): Promise<Caller>;
  };
  readonly invalidBodyRateLimit: InvalidBodyRateLimit;
  /** Counts the bodies of an owner before they are read, where a call permits large ones. */
  readonly largeBodyLimit?: MemoryRateLimit;
  readonly isLoggedOnlyOnFailure?: boolean;
}

export interface Call<E extends Endpoint> extends ParsedRequest<E> {
  readonly caller: E['access'] extends 'open' ? null : Caller;
  readonly request: FastifyRequest;
  /** For headers; the handler returns the body. */
  readonly reply: FastifyReply;
}

type Handler<E extends Endpoint> = (call: Call<E>) => Promise<Reply<E> | Readable>;

declare module 'fastify' {
  interface FastifyRequest {
    caller: Caller | null;
  }
  interface FastifyContextConfig {
    /** The access of this route. tests/access.test.ts checks the whole route table. */
    access?: Access;
    endpoint?: Endpoint;
  }
}

/**
 * Unless it is open, the caller's session is checked before the body is read. Throws ApiError
 * 'session_invalid' or 'invalid_input'.
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
    config: { access: endpoint.access ?? 'owner', endpoint, isLoggedOnlyOnFailure },
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

/** Returns the options of a route that decide who may call it. Its hooks throw ApiError. */
function guardHooks(context: RouteContext, endpoint: Endpoint) {
  const { access = 'owner', method, bodySizeBytesMax } = endpoint;
  const { sessions, invalidBodyRateLimit, largeBodyLimit } = context;
  if (access === 'open' && method === 'GET') return {};
  if (access === 'open') {
    return {
      bodyLimit: OPEN_JSON_SIZE_BYTES_MAX,
      // Before the next body of this address is read.
      onRequest: async (request: FastifyRequest) => invalidBodyRateLimit.check(request),
      onSend: async (request: FastifyRequest, { statusCode }: FastifyReply, payload: unknown) => {
        if (INVALID_STATUSES.has(statusCode)) invalidBodyRateLimit.count(request);
        return payload;
      },
    };
  }
  return {
    ...(bodySizeBytesMax !== undefined && { bodyLimit: bodySizeBytesMax }),
    onRequest: async (request: FastifyRequest) => {
      const caller = await sessions.authenticate(request);
      const { id } = request.params as { id?: string };
      if (access === 'owner' && caller.userId !== id) throw sessionInvalidError();
      request.caller = caller;
      if (bodySizeBytesMax !== undefined && !isSmallBody(request.headers))
        largeBodyLimit?.countOrThrow(caller.userId);
    },
  };
}

export function parseInput(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (schema === undefined) return undefined;
  const result = schema.safeParse(value, { error: () => 'is not valid' });
  if (result.success) return result.data;
  const issue = result.error.issues[0];
  const field = issue?.path.join('.') || 'The body';
  const message = issue?.message ?? 'is not valid';
  const isSentence = /^[A-Z]/.test(message);
  throw new ApiError('invalid_input', isSentence ? message : `${field} ${message}`);
}

export function readAuthorization(request: FastifyRequest): string | null {
  const value = request.headers.authorization?.trim();
  const count = countRawHeaders(request.raw.rawHeaders, 'authorization');
  return count === 1 && value ? value : null;
}

export function readTokenHash(request: FastifyRequest): string {
  const token = readAuthorization(request);
  if (token === null || !SESSION_TOKEN.test(token)) throw sessionInvalidError();
  return hashToken(token);
}

/** Accepts JSON bodies only. An empty body is undefined; compressed requests are rejected. */
export function addBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  // Reject `__proto__` and `constructor` keys.
  const parseJson = fastify.getDefaultJsonParser('error', 'error');
  fastify.addContentTypeParser(
    'application/json',
    { parseAs: 'string', bodyLimit: JSON_SIZE_BYTES_MAX },
    (request, body, done) => {
      if (body === '') done(null, undefined);
      else void parseJson(request, String(body), done);
    },
  );
  fastify.addHook('onRequest', (request, _reply, done) => {
    const encoding = request.headers['content-encoding'];
    if (encoding === undefined || encoding === 'identity') done();
    else done(new ApiError('media_type_unsupported', 'Compressed requests are not accepted.'));
  });
}

export interface RouteEntry {
  readonly method: string;
  readonly url: string;
  /** Null if the route does not declare its access. */
  readonly access: Access | null;
  readonly endpoint: Endpoint | null;
}

declare module 'fastify' {
  interface FastifyInstance {
    routeTable: readonly RouteEntry[];
  }
}

export function recordRoutes(fastify: FastifyInstance): void {
  const table: RouteEntry[] = [];
  fastify.decorate('routeTable', table);
  fastify.addHook('onRoute', ({ method, url, config }) => {
    const methods = Array.isArray(method) ? method : [method];
    const { access = null, endpoint = null } = config ?? {};
    for (const each of methods) table.push({ method: each, url, access, endpoint });
  });
}
