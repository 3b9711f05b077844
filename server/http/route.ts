import type { Readable } from 'node:stream';

import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type * as z from 'zod/mini';

import { API_ERRORS } from '#contract/api-error.ts';
import type { Access, Endpoint, ParsedRequest, Reply } from '#contract/endpoint.ts';
import { ApiError, sessionInvalidError } from '#server/error.ts';

import { isSmallBody } from './limit.ts';
import type { AddressLimits, MemoryRateLimit } from './limit.ts';
import { countRawHeaders } from './proxy.ts';

export const API_PREFIX = '/api';
const NO_STORE = 'no-store';
const EVENT_STREAM = 'text/event-stream';
/** The longest translations in every language take 80 KB (docs/develop/security.md#limits). */
const JSON_SIZE_BYTES_MAX = 128 * 1024;
/** The longest contact takes 13 KB with its escapes. Decoding 64 KiB can take 0.6 ms. */
export const OPEN_JSON_SIZE_BYTES_MAX = 16 * 1024;
const INVALID_STATUSES = new Set<number>([API_ERRORS.invalid_input, API_ERRORS.too_large]);

export interface Caller {
  readonly userId: string;
  readonly tokenHash: string;
}

/** Recognises devices that have signed in before (docs/develop/security.md#embedded-provider). */
export interface KnownDevices {
  /** Returns whether the headers have a device cookie. The body names the phone for which it may be valid. */
  hasCookie(request: FastifyRequest): boolean;
  /** Returns whether the device is known for the phone in the body, which must be parsed by then. */
  isKnown(request: FastifyRequest): Promise<boolean>;
}

export interface RouteContext extends Pick<AddressLimits, 'invalidBodyLimitOf'> {
  readonly fastify: FastifyInstance;
  readonly sessions: {
    authenticate(request: FastifyRequest): Promise<Caller>;
  };
  /** Set this if a known device is exempt from the limits of its IP address. */
  readonly knownDevices?: KnownDevices;
  /** Counts an owner's large bodies before they are read, if the call permits large bodies. */
  readonly largeBodyLimit?: MemoryRateLimit;
  readonly isLoggedOnlyOnFailure?: boolean;
}

export interface Call<E extends Endpoint> extends ParsedRequest<E> {
  readonly caller: E['access'] extends 'open' ? null : Caller;
  readonly request: FastifyRequest;
  /** The handler may set headers here. It returns the body. */
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
    /** Whether the route is registered with the `Entrance`. */
    isPublic?: boolean;
  }
}

/**
 * Registers an endpoint. Unless it is open, the caller's session is checked before the body is read. A
 * request can fail with ApiError 'session_invalid' or 'invalid_input'.
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
      // nginx would buffer the events without this header. Caddy sends every event immediately.
      if (endpoint.replyType === EVENT_STREAM) void reply.header('x-accel-buffering', 'no');
      if (endpoint.replyType) return reply.type(endpoint.replyType).send(result);
      return endpoint.reply.parse(result);
    },
  });
}

/** Returns the options of a route that decide who may call it. Its hooks throw ApiError. */
function guardHooks(context: RouteContext, endpoint: Endpoint) {
  const { access = 'owner', method, bodySizeBytesMax } = endpoint;
  const { sessions, invalidBodyLimitOf, knownDevices, largeBodyLimit } = context;
  if (access === 'open' && method === 'GET') return {};
  if (access === 'open') {
    // The phone is in the body, so a small body is read before the device is checked. That costs little.
    const mayBeKnown = (request: FastifyRequest) =>
      isSmallBody(request.headers) && knownDevices?.hasCookie(request) === true;
    const checkLimit = (request: FastifyRequest) =>
      invalidBodyLimitOf(request).check(request.client.prefix64);
    return {
      bodyLimit: OPEN_JSON_SIZE_BYTES_MAX,
      // Above the limit, a request is rejected before its body is read.
      onRequest: async (request: FastifyRequest) => {
        if (!mayBeKnown(request)) checkLimit(request);
      },
      preValidation: async (request: FastifyRequest) => {
        const { prefix64 } = request.client;
        if (!mayBeKnown(request) || !invalidBodyLimitOf(request).isReached(prefix64)) return;
        if (!(await knownDevices?.isKnown(request))) checkLimit(request);
      },
      onSend: async (request: FastifyRequest, { statusCode }: FastifyReply, payload: unknown) => {
        if (INVALID_STATUSES.has(statusCode))
          invalidBodyLimitOf(request).count(request.client.prefix64);
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

/** Accepts JSON bodies only. An empty body becomes undefined. Compressed requests are rejected. */
export function addBodyParser(fastify: FastifyInstance): void {
  fastify.removeAllContentTypeParsers();
  // This parser rejects the keys `__proto__` and `constructor`.
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
  /** This is null if the route does not declare its access. */
  readonly access: Access | null;
  readonly endpoint: Endpoint | null;
  readonly isPublic: boolean;
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
    const { access = null, endpoint = null, isPublic = false } = config ?? {};
    for (const each of methods) table.push({ method: each, url, access, endpoint, isPublic });
  });
}

const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"/g;
/** A version is a number that is exact in JavaScript and in both databases. */
const VERSION = /^(0|[1-9]\d{0,14})(?:-(?:br|gzip))?$/;
export const ANY_VERSION = '*';
/** A browser sends one tag, or one for each copy that it keeps. */
const TAGS_MAX = 16;

export function versionEtag(version: number): string {
  return `"${version}"`;
}

/**
 * Returns the versions that an If-Match header permits. All encodings of a version match, but a weak tag
 * never does (RFC 9110, section 13.1.1). Throws ApiError 'invalid_input' for more than 16 tags.
 */
export function permittedVersions(
  ifMatch: string | undefined,
): typeof ANY_VERSION | readonly number[] {
  if (ifMatch === undefined || ifMatch.trim() === ANY_VERSION) return ANY_VERSION;
  const tags = [...ifMatch.matchAll(ENTITY_TAG)];
  if (tags.length > TAGS_MAX)
    throw new ApiError(
      'invalid_input',
      `If-Match lists at most ${TAGS_MAX} tags. Read the card again.`,
    );
  return tags.flatMap(([, weak, opaque = '']) => {
    const version = VERSION.exec(opaque)?.[1];
    return weak === undefined && version !== undefined ? [Number(version)] : [];
  });
}
