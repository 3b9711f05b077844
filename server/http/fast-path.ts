import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { FastPath } from './entry.ts';
import { countRawHeaders, hstsHeaders } from './headers.ts';
import { isHost } from './origin.ts';
import type { Proxies } from './proxy.ts';
import type { ReadRateLimit } from './rate-limit.ts';
import { REQUEST_ID_HEADER } from './request-id.ts';
import type { RequestIds } from './request-id.ts';
import type { CompletedRequest, RequestLog } from './request-log.ts';
import type { ResponseCache } from './response-cache.ts';
import { encodingFor, writeFinished } from './send.ts';

interface Options {
  readonly responses: ResponseCache;
  readonly readRateLimit: ReadRateLimit;
  readonly proxies: Proxies;
  readonly requestIds: RequestIds;
  /** Null means the origin of the request. */
  readonly publicUrl: string | null;
  /** Null if requests are not logged. */
  readonly log: RequestLog | null;
  /** Counts a request in the metrics by the pattern of its route; null if there are none. */
  readonly count: ((completed: CompletedRequest, route: string) => void) | null;
}

/**
 * Returns a handler that runs before the router. It answers GET and HEAD if the response is cached in
 * the encoding that the client prefers. Otherwise it returns false, and the router sends the same
 * bytes.
 */
export function createFastPath(options: Options): FastPath {
  const { responses, readRateLimit, proxies, requestIds, log, count } = options;
  const readOrigin = createOriginReader(options.publicUrl);
  // addDefaultHeaders sets the same headers on responses of the router.
  const hsts = Object.entries(hstsHeaders(options.publicUrl)).flat();

  return (request, response) => {
    const startedAt = performance.now();
    const { method = '', headers, url = '' } = request;
    if ((method !== 'GET' && method !== 'HEAD') || needsRouter(request)) return false;
    const stored = responses.lookup(url, readOrigin(headers));
    const encoded = stored?.response.cachedEncoding(encodingFor(request, stored.response));
    if (!stored || !encoded) return false;
    const address = proxies.clientAddress(request);
    if (stored.userId !== null && !readRateLimit.tryCount(address)) return false;

    const { id, isFromProxy } = requestIds(request);
    const extraHeaders = isFromProxy ? [...hsts, REQUEST_ID_HEADER, id] : hsts;
    const status = writeFinished(request, response, {
      response: stored.response,
      encoded,
      extraHeaders,
    });
    responses.countHit();
    if (log === null && count === null) return true;
    const durationMs = performance.now() - startedAt;
    const { pathText, route } = stored;
    const completed = { id, method, pathText, status, durationMs, address };
    log?.(completed);
    count?.(completed, route);
    return true;
  };
}

/** Whether a request has a header that only the router checks. */
function needsRouter({ headers, rawHeaders }: IncomingMessage): boolean {
  return (
    headers.host === undefined ||
    countRawHeaders(rawHeaders, 'host') > 1 ||
    !hasValidForwardedHeaders(headers) ||
    headers['content-encoding'] !== undefined ||
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    headers.upgrade !== undefined
  );
}

/** Returns whether X-Forwarded-Proto and X-Forwarded-Host are absent or plain and valid. */
function hasValidForwardedHeaders(headers: IncomingHttpHeaders): boolean {
  const { 'x-forwarded-proto': protocol, 'x-forwarded-host': host } = headers;
  if (protocol !== undefined && protocol !== 'http' && protocol !== 'https') return false;
  return host === undefined || (typeof host === 'string' && isHost(host));
}

/**
 * Returns a function that reads the origin of a request from its Host header. It returns undefined if
 * PUBLIC_URL is set (no response depends on the origin), or if the request has X-Forwarded headers
 * (the router handles it).
 */
function createOriginReader(
  publicUrl: string | null,
): (headers: IncomingHttpHeaders) => string | undefined {
  if (publicUrl !== null) return () => undefined;
  // Caches the last origin: comparing the host is faster than concatenating.
  let host = '';
  let origin = '';
  return (headers) => {
    if (headers['x-forwarded-host'] !== undefined) return undefined;
    if (headers['x-forwarded-proto'] !== undefined) return undefined;
    const requested = headers.host ?? '';
    if (requested !== host) [host, origin] = [requested, `http://${requested}`];
    return origin;
  };
}
