import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';

import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance } from 'fastify';

import { userIdSchema } from '#domain/identifier.ts';
import { cardPath } from '#domain/share.ts';
import type { House } from '#server/http/route.ts';

import { chooseEncoding, isKnown } from './finished-page.ts';

const OK = 200;
const NOT_MODIFIED = 304;
const SECOND_MS = 1000;
const CARD_PATH = cardPath('');
/** What makes a request one that only the framework judges. */
const ODD_HEADERS = [
  'content-encoding',
  'content-length',
  'expect',
  'transfer-encoding',
  'upgrade',
];
/** What decides the origin in links where no PUBLIC_URL does. */
const ORIGIN_HEADERS = ['x-forwarded-host', 'x-forwarded-proto'];

/**
 * Answers a card that is in memory before the framework is asked, which costs more than all the
 * rest of such an answer. It knows the plain case alone: GET, the address as we print it, a card
 * that has been drawn and compressed. Whatever else comes takes the framework's way, to the same
 * bytes; so do all once the server is stopping.
 */
export function addCardExpress(house: House): void {
  const { server } = house.fastify;
  const [ordinary] = server.listeners('request') as [(...args: Exchange) => void];
  const express = cardExpress(house);
  server.removeAllListeners('request');
  server.on('request', (...exchange: Exchange) => {
    if (!server.listening || !express(...exchange)) ordinary(...exchange);
  });
}

type Exchange = [request: IncomingMessage, response: ServerResponse];

function cardExpress({ fastify, settings, parts, cards, reading }: House) {
  const addressOf = addressReader(settings.trustProxy);
  const odd = settings.publicUrl === '' ? [...ODD_HEADERS, ...ORIGIN_HEADERS] : ODD_HEADERS;

  return (request: IncomingMessage, response: ServerResponse): boolean => {
    const startedAt = performance.now();
    const { headers } = request;
    const userId = cardOf(request);
    const isOdd = headers.host === undefined || odd.some((name) => headers[name] !== undefined);
    if (userId === null || isOdd) return false;
    const origin = settings.publicUrl || `http://${headers.host}`;
    const page = cards.peek({ userId, origin, now: parts.clock.now() });
    const answer = page?.ready(chooseEncoding(headers['accept-encoding']));
    if (!page || !answer || !reading.allows(addressOf(request))) return false;
    const hasIt = isKnown(headers['if-none-match'], page.etag);
    const status = hasIt ? NOT_MODIFIED : OK;
    if (hasIt) response.writeHead(status, page.headers).end();
    else response.writeHead(status, answer.headers).end(answer.body);
    cards.hits += 1;
    report(fastify, { request, status, milliseconds: performance.now() - startedAt });
    return true;
  };
}

/** The user whose card is asked for by the address as we print it, or null. */
function cardOf({ method, url = '' }: IncomingMessage): string | null {
  if (method !== 'GET' || !url.startsWith(CARD_PATH)) return null;
  const userId = url.slice(CARD_PATH.length);
  return userIdSchema.safeParse(userId).success ? userId : null;
}

/** Reads a request's address as the framework does: X-Forwarded-For counts from proxies alone. */
function addressReader(trusted: readonly string[]): (request: IncomingMessage) => string {
  if (trusted.length === 0) return (request) => request.socket.remoteAddress ?? '';
  const trust = proxyAddress.compile([...trusted]);
  return (request) => proxyAddress(request, trust);
}

interface Answered {
  readonly request: IncomingMessage;
  readonly status: number;
  readonly milliseconds: number;
}

/** Logs and counts as the framework would have. */
function report({ log, meter }: FastifyInstance, { request, status, milliseconds }: Answered) {
  const labels = { method: 'GET', route: `${CARD_PATH}:userID`, status };
  meter?.duration.observe(labels, milliseconds / SECOND_MS);
  if (log.level !== 'info' && log.level !== 'debug') return;
  const { method = '', url = '' } = request;
  const line = { reqId: randomUUID(), req: { method, url }, res: { statusCode: status } };
  log.info({ ...line, responseTime: milliseconds }, 'request completed');
}
