import { randomUUID } from 'node:crypto';
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  RequestListener,
  ServerResponse,
} from 'node:http';

import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';

import { cardPath } from '#domain/share.ts';
import { BoundedMap } from '#server/http/bounded-map.ts';
import type { AppContext } from '#server/context.ts';

import { chooseEncoding, isKnown } from '#server/http/finished-response.ts';

const OK = 200;
const NOT_MODIFIED = 304;
const SECOND_MS = 1000;
/** Addresses whose trust is remembered: judging one takes longer than all the rest of a hit. */
const PROXIES_MAX = 1024;
const CARD_PATH = cardPath('');

/**
 * Answers a card that is in memory before the framework is asked, which costs more than all the
 * rest of such an answer. It knows the plain case alone: GET, the address as we print it, a card
 * that has been drawn and compressed. Whatever else comes takes the framework's way, to the same
 * bytes; so do all once the server is stopping.
 */
export function addCardFastPath(context: AppContext): void {
  const { server } = context.fastify;
  const [ordinary] = server.listeners('request') as [RequestListener];
  const express = cardFastPath(context);
  server.removeAllListeners('request');
  server.on('request', (request, response) => {
    if (!server.listening || !express(request, response)) ordinary(request, response);
  });
}

function cardFastPath({ fastify, settings, dependencies, cards, readRateLimit }: AppContext) {
  const addressOf = addressReader(settings.trustProxy);
  const originOf = originReader(settings.publicUrl);
  const report = reporter(fastify);

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const startedAt = report === null ? 0 : performance.now();
    const { headers, url = '' } = request;
    if (request.method !== 'GET' || !url.startsWith(CARD_PATH) || isOdd(headers)) return false;
    const origin = originOf(headers);
    const now = dependencies.clock.now();
    const page = origin === null ? null : cards.peek({ path: url, origin, now });
    const answer = page?.ready(chooseEncoding(headers['accept-encoding']));
    if (!page || !answer || !readRateLimit.allows(addressOf(request), now)) return false;
    const hasIt = isKnown(headers['if-none-match'], page.etag);
    const status = hasIt ? NOT_MODIFIED : OK;
    if (hasIt) response.writeHead(status, page.headers).end();
    else response.writeHead(status, answer.headers).end(answer.body);
    cards.hits += 1;
    report?.({ request, status, milliseconds: performance.now() - startedAt });
    return true;
  };
}

/** Whether a request has what only the framework judges. */
function isOdd(headers: IncomingHttpHeaders): boolean {
  return (
    headers.host === undefined ||
    headers['content-encoding'] !== undefined ||
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    headers.upgrade !== undefined
  );
}

/** Reads the origin that links point to; null where X-Forwarded headers have a say in it. */
function originReader(publicUrl: string): (headers: IncomingHttpHeaders) => string | null {
  if (publicUrl !== '') return () => publicUrl;
  // Nearly always the same one: putting it together takes longer than to compare it.
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

/** Reads a request's address as the framework does: X-Forwarded-For counts from proxies alone. */
function addressReader(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const judge = proxyAddress.compile([...trusted]);
  const judged = new BoundedMap<boolean>(PROXIES_MAX);
  const isProxy = (address: string, distance: number) => {
    const known = judged.get(address);
    if (known !== undefined) return known;
    const verdict = judge(address, distance);
    judged.set(address, verdict);
    return verdict;
  };
  return (request) => proxyAddress(request, isProxy);
}

interface Answered {
  readonly request: IncomingMessage;
  readonly status: number;
  readonly milliseconds: number;
}

/** Logs and counts as the framework would have; null where nothing is logged or counted. */
function reporter({ log, meter }: FastifyInstance): ((answered: Answered) => void) | null {
  const isLogged = log.level === 'info' || log.level === 'debug';
  if (!isLogged && !meter) return null;
  return ({ request, status, milliseconds }) => {
    const labels = { method: 'GET', route: `${CARD_PATH}:userID`, status };
    meter?.duration.observe(labels, milliseconds / SECOND_MS);
    if (!isLogged) return;
    const { method = '', url = '' } = request;
    const line = { reqId: randomUUID(), req: { method, url }, res: { statusCode: status } };
    log.info({ ...line, responseTime: milliseconds }, 'request completed');
  };
}
