import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import proxyAddress from '@fastify/proxy-addr';
import type { FastifyBaseLogger } from 'fastify';
import { LRUCache } from 'lru-cache';

import type { FastPath } from './entry.ts';
import { countRawHeaders } from './headers.ts';
import { isHost } from './origin.ts';
import type { ReadRateLimit } from './rate-limit.ts';
import type { ResponseCache } from './response-cache.ts';
import { encodingFor, writeFinished } from './send.ts';

/** The size of the cache of trusted addresses. Checking an address is the slowest part of a hit. */
const PROXIES_MAX = 1024;

/** A request that the fast path has answered. */
export interface CompletedRequest {
  readonly method: string;
  readonly path: string;
  /** The pattern of its route. */
  readonly route: string;
  readonly status: number;
  readonly durationMs: number;
}

interface Options {
  readonly responses: ResponseCache;
  readonly readRateLimit: ReadRateLimit;
  readonly trustProxy: readonly string[];
  /** '' is the origin of the request. */
  readonly publicUrl: string;
  readonly log: FastifyBaseLogger;
  /** Counts a request in the metrics; null if there are none. */
  readonly count: ((completed: CompletedRequest) => void) | null;
}

/**
 * Returns a handler that runs before the router. It answers GET and HEAD of a response that is cached
 * in the encoding for the request. Otherwise it returns false, and the router sends the same bytes.
 */
export function createFastPath(options: Options): FastPath {
  const { responses, readRateLimit } = options;
  const addressOf = addressReader(options.trustProxy);
  const originOf = originReader(options.publicUrl);
  const report = createReporter(options);

  return (request, response) => {
    const startedAt = report === null ? 0 : performance.now();
    const { method = '', headers, url = '' } = request;
    if ((method !== 'GET' && method !== 'HEAD') || needsRouter(request)) return false;
    const stored = responses.lookup(url) ?? responses.lookup(url, originOf(headers));
    if (!stored) return false;
    const encoded = stored.response.encoded(encodingFor(request, stored.response));
    if (!encoded) return false;
    if (stored.userId !== null && !readRateLimit.allows(addressOf(request))) return false;
    const status = writeFinished(request, response, { response: stored.response, encoded });
    responses.hits += 1;
    const { route } = stored;
    report?.({ method, path: url, route, status, durationMs: performance.now() - startedAt });
    return true;
  };
}

/** Whether a request has a header that only the router checks. */
function needsRouter({ headers, rawHeaders }: IncomingMessage): boolean {
  return (
    headers.host === undefined ||
    countRawHeaders(rawHeaders, 'host') > 1 ||
    !isForwardedOrigin(headers) ||
    headers['content-encoding'] !== undefined ||
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    headers.upgrade !== undefined
  );
}

/** Returns whether X-Forwarded-Proto and X-Forwarded-Host are absent or plain and valid. */
function isForwardedOrigin(headers: IncomingHttpHeaders): boolean {
  const { 'x-forwarded-proto': protocol, 'x-forwarded-host': host } = headers;
  if (protocol !== undefined && protocol !== 'http' && protocol !== 'https') return false;
  return host === undefined || (typeof host === 'string' && isHost(host));
}

/**
 * Returns a function that reads the origin of links; undefined if X-Forwarded headers may change it,
 * or if PUBLIC_URL is set and no response depends on the origin of its request.
 */
function originReader(publicUrl: string): (headers: IncomingHttpHeaders) => string | undefined {
  if (publicUrl !== '') return () => undefined;
  // Caches the last origin: comparing the host is faster than concatenating.
  let host = '';
  let origin = '';
  return (headers) => {
    if (headers['x-forwarded-host'] !== undefined) return undefined;
    if (headers['x-forwarded-proto'] !== undefined) return undefined;
    const given = headers.host ?? '';
    if (given !== host) [host, origin] = [given, `http://${given}`];
    return origin;
  };
}

/** Returns a function that reads the client's address as Fastify does with `trustProxy`. */
function addressReader(proxies: readonly string[]): (request: IncomingMessage) => string {
  if (proxies.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const compiled = proxyAddress.compile([...proxies]);
  const remembered = new LRUCache<string, boolean>({ max: PROXIES_MAX });
  const isProxy = (address: string, distance: number) => {
    const known = remembered.get(address);
    if (known !== undefined) return known;
    const isTrusted = compiled(address, distance);
    remembered.set(address, isTrusted);
    return isTrusted;
  };
  return (request) => proxyAddress(request, isProxy);
}

/** Returns a function that logs and counts as the router does; null if both are off. */
function createReporter({ log, count }: Options): ((completed: CompletedRequest) => void) | null {
  const isLogged = log.level === 'info' || log.level === 'debug';
  if (!isLogged) return count;
  return (completed) => {
    count?.(completed);
    const { method, path: url, status, durationMs } = completed;
    const line = { reqId: randomUUID(), req: { method, url }, res: { statusCode: status } };
    log.info({ ...line, responseTime: durationMs }, 'request completed');
  };
}
