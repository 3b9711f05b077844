import type { IncomingHttpHeaders } from 'node:http';

import cors from '@fastify/cors';
import type { FastifyCorsOptions } from '@fastify/cors';
import type { FastifyInstance, FastifyReply } from 'fastify';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';

import { createResponseHeaders } from './proxy.ts';
import { API_PREFIX } from './route.ts';

/** Pages set a wider content security policy. Only public cards and policies may be indexed. */
export const DEFAULT_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
} as const;

/** The policy lasts a year (RFC 6797). It excludes subdomains, because other services may use them. */
const STRICT_TRANSPORT_SECURITY = 'max-age=31536000';

export function hstsHeaders(publicUrl: string | null): Readonly<Record<string, string>> {
  if (!publicUrl?.startsWith('https:')) return {};
  return { 'strict-transport-security': STRICT_TRANSPORT_SECURITY };
}

export function addDefaultHeaders(fastify: FastifyInstance, publicUrl: string | null): void {
  const setHeaders = defaultHeaderSetter(publicUrl);
  fastify.addHook('onRequest', (_request, reply, done) => {
    setHeaders(reply);
    done();
  });
}

/**
 * Returns a function that sets the default headers and repeats a trusted proxy's X-Request-Id. Handlers that
 * run without hooks call it themselves.
 */
export function defaultHeaderSetter(publicUrl: string | null): (reply: FastifyReply) => void {
  const headersOf = createResponseHeaders(hstsHeaders(publicUrl));
  return (reply) => {
    void reply.headers(DEFAULT_HEADERS);
    const { id, headers } = reply.request;
    // These go on the raw response, because sendStored bypasses Fastify's headers and adds only DEFAULT_HEADERS.
    for (const [name, value] of Object.entries(headersOf(id, headers))) {
      reply.raw.setHeader(name, value);
    }
  };
}

/** The CORS plugin sets these before the handler runs, and `sendStored` copies them. */
const CORS_HEADERS = [
  'access-control-allow-origin',
  'access-control-expose-headers',
  'vary',
] as const;

const TABLE_COOKIE = new RegExp(`^${BROWSER_STORAGE.cookies.table}[0-9A-Za-z]+$`);

/** Returns headers that delete the keys of the tables that the owner has joined in this browser. */
export const deleteTableCookies = ({ cookie = '' }: IncomingHttpHeaders): string[] =>
  cookie
    .split(';')
    .map((pair) => pair.trim().replace(/=.*/, ''))
    .filter((name) => TABLE_COOKIE.test(name))
    .map((name) => cookieHeader({ name, value: '', path: '/', lifeSeconds: 0, secure: false }));

const isApiUrl = (url: string) => url.startsWith(`${API_PREFIX}/`);

/** Returns the names of all headers that the replies to calls can have. */
const replyHeaderNames = ({ routeTable }: FastifyInstance) =>
  new Set(routeTable.flatMap(({ endpoint }) => Object.keys(endpoint?.replyHeaders ?? {})));

/** Lets pages of other origins call the API without cookies (docs/operate/proxy.md). */
export function allowOrigins(fastify: FastifyInstance, origins: readonly string[]): void {
  if (origins.length === 0) return;
  const createOptions = (): FastifyCorsOptions => ({
    origin: [...origins],
    methods: ['GET', 'HEAD', 'POST'],
    allowedHeaders: ['Authorization', 'Content-Type', 'If-Match'],
    exposedHeaders: ['Retry-After', ...replyHeaderNames(fastify)],
  });
  let apiOptions: FastifyCorsOptions | undefined;
  void fastify.register(cors, {
    delegator: ({ url }, callback) => {
      // The list of routes is complete only when the first request arrives.
      apiOptions ??= createOptions();
      callback(null, isApiUrl(url ?? '') ? apiOptions : { origin: false });
    },
  });
}

export function originVaryHeader(url: string, origins: readonly string[]): { vary?: string } {
  return origins.length > 0 && isApiUrl(url) ? { vary: 'Origin' } : {};
}

export function corsHeaders(reply: FastifyReply): Readonly<Record<string, string>> {
  const headers = CORS_HEADERS.flatMap((name) => {
    const value = reply.getHeader(name);
    return value === undefined ? [] : [[name, String(value)]];
  });
  return Object.fromEntries(headers) as Record<string, string>;
}

/** Returns a Cache-Control. No shared cache may store a response that contains the Host of its request. */
export function cacheControl(
  { isShareable }: { readonly isShareable: boolean },
  directives: string,
  sharedSeconds?: number,
): string {
  if (!isShareable) return `private, ${directives}`;
  const shared = sharedSeconds === undefined ? '' : `, s-maxage=${sharedSeconds}`;
  return `public, ${directives}${shared}`;
}

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly path: string;
  readonly lifeSeconds: number;
  readonly secure: boolean;
}

/** Returns each value of a cookie, because a browser can have one for each path. */
export function readCookies(header: string | undefined, name: string): string[] {
  const pairs = (header ?? '').split(';').map((pair) => pair.trim());
  return pairs
    .filter((pair) => pair.startsWith(`${name}=`))
    .map((pair) => pair.slice(name.length + 1));
}

export function cookieHeader({ name, value, path, lifeSeconds, secure }: Cookie): string {
  const attributes = `Path=${path}; Max-Age=${lifeSeconds}; HttpOnly; SameSite=Lax`;
  return `${name}=${value}; ${attributes}${secure ? '; Secure' : ''}`;
}
