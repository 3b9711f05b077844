import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import type { Language } from '#domain/language/language.ts';
import { originVaryHeader } from '#server/http/cors.ts';
import type { FastPath } from '#server/http/entry.ts';
import { countRawHeaders, requestHeaders } from '#server/http/headers.ts';
import { isHost } from '#server/http/proxy.ts';
import type { Proxies, RequestIds } from '#server/http/proxy.ts';
import type { CompletedRequest, RequestLog } from '#server/http/log/request-log.ts';
import { chooseLanguage } from '#server/http/language.ts';
import { encodingFor, writeStored } from '#server/http/send.ts';

import { rateLimitKey } from '#server/http/limit/address.ts';
import type { MemoryRateLimit } from '#server/http/limit/rate-limit.ts';
import type { ResponseCache } from './response-cache.ts';

interface Options {
  readonly responses: ResponseCache;
  readonly readRateLimit: MemoryRateLimit;
  readonly proxies: Proxies;
  readonly requestIds: RequestIds;
  readonly publicUrl: string | null;
  readonly languages: readonly Language[];
  readonly corsOrigins: readonly string[];
  readonly log: RequestLog | null;
  readonly count: ((completed: CompletedRequest, route: string) => void) | null;
}

/** Runs before the router, for GET and HEAD of what is cached; the router sends the same bytes. */
export function createFastPath(options: Options): FastPath {
  const { responses, readRateLimit, proxies, requestIds, publicUrl, languages } = options;
  const { corsOrigins, log, count } = options;
  const headersOf = requestHeaders(publicUrl);

  return (request, response) => {
    const startedAt = performance.now();
    const { method = '', headers, url = '' } = request;
    if ((method !== 'GET' && method !== 'HEAD') || needsRouter(request)) return false;
    const origin = publicUrl ?? requestOrigin(headers);
    const language = languages.length > 0 && chooseLanguage(languages, headers['accept-language']);
    const stored =
      (origin && language && responses.lookup(url, origin, language)) ||
      (origin && responses.lookup(url, origin)) ||
      responses.lookup(url, '');
    if (!stored) return false;
    const encoded = stored.response.encode(encodingFor(request, stored.response));
    const address = proxies.clientAddress(request);
    if (stored.userId !== null && !readRateLimit.count(rateLimitKey(address))) return false;

    const id = requestIds(request);
    const status = writeStored(request, response, {
      encoded,
      extraHeaders: { ...headersOf(id, headers), ...originVaryHeader(url, corsOrigins) },
    });
    if (log === null && count === null) return true;
    const durationMs = performance.now() - startedAt;
    const { pathText, route } = stored;
    const completed = { id, method, pathText, status, durationMs, address };
    log?.(completed);
    count?.(completed, route);
    return true;
  };
}

function needsRouter({ headers, rawHeaders }: IncomingMessage): boolean {
  return (
    headers.host === undefined ||
    headers.origin !== undefined ||
    countRawHeaders(rawHeaders, 'host') > 1 ||
    !hasValidForwardedHeaders(headers) ||
    headers['content-encoding'] !== undefined ||
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined
  );
}

function hasValidForwardedHeaders(headers: IncomingHttpHeaders): boolean {
  const { 'x-forwarded-proto': protocol, 'x-forwarded-host': host } = headers;
  if (protocol !== undefined && protocol !== 'http' && protocol !== 'https') return false;
  return host === undefined || (typeof host === 'string' && isHost(host));
}

function requestOrigin(headers: IncomingHttpHeaders): string | null {
  const forwarded = headers['x-forwarded-host'] ?? headers['x-forwarded-proto'];
  return forwarded === undefined ? `http://${headers.host}` : null;
}
