import type { IncomingHttpHeaders } from 'node:http';

import type { FastifyInstance, FastifyReply } from 'fastify';

export const REQUEST_ID_HEADER = 'x-request-id';

/** A page sets a wider content security policy; only public cards and policies may be indexed. */
export const DEFAULT_HEADERS = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  'referrer-policy': 'strict-origin-when-cross-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
} as const;

/** A year (RFC 6797). Subdomains are not included, because others may use them. */
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

/** The X-Request-Id of a trusted proxy too. For handlers without hooks. */
export function defaultHeaderSetter(publicUrl: string | null): (reply: FastifyReply) => void {
  const headersOf = requestHeaders(publicUrl);
  return (reply) => {
    void reply.headers(DEFAULT_HEADERS);
    const { id, headers } = reply.request;
    // On the raw response: sendStored bypasses Fastify's headers and has DEFAULT_HEADERS itself.
    for (const [name, value] of Object.entries(headersOf(id, headers))) {
      reply.raw.setHeader(name, value);
    }
  };
}

export function requestHeaders(publicUrl: string | null) {
  const hsts = hstsHeaders(publicUrl);
  return (id: string, headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
    headers[REQUEST_ID_HEADER] === id ? { ...hsts, [REQUEST_ID_HEADER]: id } : hsts;
}

/** Returns how often a header was sent. Node drops all but the first of some repeated headers. */
export function countRawHeaders(rawHeaders: readonly string[], name: string): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index];
    if (sent?.length === name.length && sent.toLowerCase() === name) count += 1;
  }
  return count;
}

/** The sources that a page may load in addition to its own origin, as CSP source expressions. */
export interface PageSources {
  readonly script?: readonly string[];
  readonly style?: readonly string[];
  readonly connect?: readonly string[];
  readonly image?: readonly string[];
  readonly frame?: readonly string[];
  readonly hasWorker?: boolean;
}

export function contentSecurityPolicy(sources: PageSources): string {
  return [
    "default-src 'none'",
    directive('script-src', sources.script),
    directive('style-src', sources.style),
    directive('img-src', ['data:', 'blob:', ...(sources.image ?? [])]),
    directive('connect-src', sources.connect),
    directive('font-src'),
    directive('manifest-src'),
    ...(sources.hasWorker === undefined
      ? []
      : [`worker-src ${sources.hasWorker ? "'self'" : "'none'"}`]),
    ...(sources.frame ? [`frame-src ${sources.frame.join(' ')}`] : []),
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ].join('; ');
}

function directive(name: string, extra: readonly string[] = []): string {
  return [name, "'self'", ...extra].join(' ');
}
