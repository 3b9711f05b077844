import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';
import { LRUCache } from 'lru-cache';

import { SECOND_MS } from '#domain/duration.ts';
import { cardPath } from '#domain/share.ts';
import type { AppContext } from '#server/context.ts';
import type { FastPath } from '#server/http/entry.ts';
import { countRawHeaders } from '#server/http/headers.ts';
import { isHost } from '#server/http/origin.ts';
import { encodingFor, writeFinished } from '#server/http/send.ts';

/** The size of the cache of trusted addresses. Checking an address is the slowest part of a hit. */
const PROXIES_MAX = 1024;
const CARD_PATH = cardPath('');

/**
 * Returns a handler that runs before the router. It answers GET of a card page if the page is cached
 * in the encoding for the request. Otherwise it returns false, and the router sends the same bytes.
 */
export function createCardFastPath(context: AppContext): FastPath {
  const { fastify, settings, cards, readRateLimit } = context;
  const addressOf = addressReader(settings.trustProxy);
  const originOf = originReader(settings.publicUrl);
  const report = createReporter(fastify);

  return (request, response) => {
    const startedAt = report === null ? 0 : performance.now();
    const { method, headers, url = '' } = request;
    if (method !== 'GET' || !url.startsWith(CARD_PATH) || needsRouter(request)) return false;
    const origin = originOf(headers);
    const page = origin === null ? null : cards.lookup(url, origin);
    const encoded = page?.encoded(encodingFor(request, page));
    if (!page || !encoded) return false;
    if (!readRateLimit.allows(addressOf(request))) return false;
    const status = writeFinished(request, response, { response: page, encoded });
    cards.hits += 1;
    report?.({ request, status, durationMs: performance.now() - startedAt });
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

/** Returns a function that reads the origin of links; null if X-Forwarded headers may change it. */
function originReader(publicUrl: string): (headers: IncomingHttpHeaders) => string | null {
  if (publicUrl !== '') return () => publicUrl;
  // Caches the last origin: comparing the host is faster than concatenating.
  let host = '';
  let origin = '';
  return (headers) => {
    if (headers['x-forwarded-host'] !== undefined) return null;
    if (headers['x-forwarded-proto'] !== undefined) return null;
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

interface Completed {
  readonly request: IncomingMessage;
  readonly status: number;
  readonly durationMs: number;
}

/** Returns a function that logs and counts as the router does; null if both are off. */
function createReporter({ log, meter }: FastifyInstance): ((completed: Completed) => void) | null {
  const isLogged = log.level === 'info' || log.level === 'debug';
  if (!isLogged && !meter) return null;
  return ({ request, status, durationMs }) => {
    const labels = { method: 'GET', route: `${CARD_PATH}:userID`, status };
    meter?.duration.observe(labels, durationMs / SECOND_MS);
    if (!isLogged) return;
    const { method = '', url = '' } = request;
    const line = { reqId: randomUUID(), req: { method, url }, res: { statusCode: status } };
    log.info({ ...line, responseTime: durationMs }, 'request completed');
  };
}
