import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { isIP } from 'node:net';

import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

import { ApiError } from '#server/error.ts';

const REQUEST_ID_HEADER = 'x-request-id';
const HOST = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[\da-fA-F:.]{2,45}\](?::\d{1,5})?$/;
const PROTOCOLS: ReadonlySet<string> = new Set(['http', 'https']);
/** Some proxies append the port on which they listen, which can be 80 even for a site with https. */
const DEFAULT_PORTS: ReadonlySet<string> = new Set(['', '80', '443']);
const IN_BRACKETS = /^\[([^\]]*)\](?::\d+)?$/;
const PORT = /:\d{1,5}$/;
/** Almost every request comes from a known peer to a known host, so these are evaluated once. */
const REMEMBERED_MAX = 100;
/** An id of this form needs no escaping in a header or in JSON. request-log.ts depends on this. */
const REQUEST_ID_FORM = /^[\w.:=+/-]{1,128}$/;
/** Each run of each process has a random prefix of its own, so that its request ids are unique. */
const PREFIX_BYTES = 9;
const COUNTER_RADIX = 36;

const PREFIX_64_GROUPS = 4;
const PREFIX_48_GROUPS = 3;

/** Limits count by prefixes, because one subscriber can use every address of a /64. */
export interface AddressPrefixes {
  /** An IPv4 address, or the /64 of an IPv6 address. */
  readonly prefix64: string;
  /** The /48 of an IPv6 address, in which one hosting customer can own 65,536 networks of /64. */
  readonly prefix48: string | null;
}

/** The client that sends a request and the origin that it is sent to, according to trusted proxies. */
export interface Client extends AddressPrefixes {
  /** The IP address. It is empty if the connection was reset before the system could name it. */
  readonly address: string;
  /**
   * The origin in the form that browsers write, so that one host has one origin. It is null if a header is
   * not valid.
   */
  readonly origin: string | null;
  /** The message of a 400 (RFC 9112, section 3.2), or null if the headers are unambiguous. */
  readonly fault: string | null;
}

/** A property of the request costs a hot card less than a WeakMap. */
const CLIENT = Symbol('client');

declare module 'node:http' {
  interface IncomingMessage {
    [CLIENT]?: Client;
  }
}

export type Proxies = ReturnType<typeof createProxies>;

type IsTrusted = (address: string) => boolean;

/** The headers of a request are read once, on its arrival, because a closed connection has no IP address. */
export function createProxies(networks: readonly string[]) {
  const matches = proxyAddress.compile([...networks]);
  const trusted = new LRUCache<string, boolean>({
    max: REMEMBERED_MAX,
    memoMethod: (address) => matches(address, 0),
  });
  const isTrusted: IsTrusted = (address) => trusted.memo(address);
  return {
    /** Returns a trusted proxy's well-formed X-Request-Id, or else a unique id. */
    requestIdOf: createRequestIds(isTrusted),
    clientOf: (request: IncomingMessage): Client =>
      (request[CLIENT] ??= readClient(request, isTrusted)),
  };
}

function readClient(request: IncomingMessage, isTrusted: IsTrusted): Client {
  const { socket, headers } = request;
  const peer = socket.remoteAddress ?? '';
  const forwarded = isTrusted(peer) ? headers : {};
  const protocol = splitHeader(forwarded['x-forwarded-proto']).at(-1)?.toLowerCase() ?? 'http';
  const forwardedHost = splitHeader(forwarded['x-forwarded-host']).at(-1);
  const hasProtocol = PROTOCOLS.has(protocol);
  const address = resolveClientAddress(peer, splitHeader(forwarded['x-forwarded-for']), isTrusted);
  const host = forwardedHost ?? headers.host ?? '';
  const origin = (hasProtocol && ORIGINS.memo(`${protocol}://${host}`)) || null;
  return {
    address,
    ...addressPrefixes(address),
    origin,
    fault:
      findHostFault(request) ??
      (hasProtocol ? null : 'The X-Forwarded-Proto header is not valid.') ??
      (forwardedHost && !origin ? 'The X-Forwarded-Host header is not valid.' : null),
  };
}

function findHostFault({ httpVersion, headers, rawHeaders }: IncomingMessage): string | null {
  if (countRawHeaders(rawHeaders, 'host') > 1) return 'The Host header is not unique.';
  const isMissing = httpVersion === '1.1' && headers.host === undefined;
  return isMissing ? 'The Host header is missing.' : null;
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

/** Splits a header at its commas. Node joins repeated X-Forwarded headers with commas. */
function splitHeader(header: string | readonly string[] | undefined): string[] {
  if (header === undefined) return [];
  const entries = String(header).split(',');
  return entries.map((entry) => entry.trim()).filter((entry) => entry !== '');
}

/**
 * Walks X-Forwarded-For backwards from the connection. Each trusted proxy vouches for the entry before its
 * own. If an entry is not an IP address, the proxy that vouches for it counts as the client.
 */
function resolveClientAddress(
  peer: string,
  entries: readonly string[],
  isTrusted: IsTrusted,
): string {
  let address = peer;
  for (const entry of entries.toReversed()) {
    const next = isTrusted(address) ? parseAddress(entry) : null;
    if (next === null) break;
    address = next;
  }
  return address;
}

/**
 * Returns the IP address in an entry of X-Forwarded-For, without a port, brackets or a zone, or null if
 * there is none.
 */
export function parseAddress(entry: string): string | null {
  const text = entry.trim();
  // Without brackets, the last group of an IPv6 address may look like a port.
  const inBrackets = IN_BRACKETS.exec(text)?.[1];
  const texts = inBrackets === undefined ? [text, text.replace(PORT, '')] : [inBrackets];
  return texts.find((one) => isIP(one) !== 0)?.split('%', 1)[0] ?? null;
}

export function addressPrefixes(address: string): AddressPrefixes {
  // The name of a network interface, such as br-lan, is not part of the address.
  const [plain = ''] = address.split('%', 1);
  if (!plain.includes(':') || !ipaddr.isValid(plain)) return { prefix64: address, prefix48: null };
  // An IPv4 address that is embedded in an IPv6 address counts as IPv4.
  const parsed = ipaddr.process(plain);
  if (!(parsed instanceof ipaddr.IPv6)) return { prefix64: parsed.toString(), prefix48: null };
  const groups = parsed.parts.map((group) => group.toString(16));
  const prefix = (length: number) => groups.slice(0, length).join(':');
  return {
    prefix64: `${prefix(PREFIX_64_GROUPS)}::/64`,
    prefix48: `${prefix(PREFIX_48_GROUPS)}::/48`,
  };
}

/** The origin of a protocol and a Host header, or '' if the header is not valid. */
const ORIGINS = new LRUCache<string, string>({ max: REMEMBERED_MAX, memoMethod: toOrigin });

function toOrigin(url: string): string {
  const host = url.slice(url.indexOf('://') + '://'.length);
  if (!HOST.test(host) || !URL.canParse(url)) return '';
  const { protocol, hostname, port } = new URL(url);
  const name = hostname.replace(/\.$/, '');
  if (name === '') return '';
  return `${protocol}//${name}${DEFAULT_PORTS.has(port) ? '' : `:${port}`}`;
}

function createRequestIds(isTrusted: IsTrusted) {
  const prefix = randomBytes(PREFIX_BYTES).toString('base64url');
  let count = 0;
  return ({ headers, socket }: IncomingMessage): string => {
    const requested = headers[REQUEST_ID_HEADER];
    if (typeof requested === 'string' && REQUEST_ID_FORM.test(requested)) {
      if (isTrusted(socket.remoteAddress ?? '')) return requested;
    }
    count += 1;
    return `${prefix}-${count.toString(COUNTER_RADIX)}`;
  };
}

/** Returns a function that adds a trusted proxy's X-Request-Id to the headers of every response. */
export function createResponseHeaders(always: Readonly<Record<string, string>>) {
  return (id: string, headers: IncomingHttpHeaders): Readonly<Record<string, string>> =>
    headers[REQUEST_ID_HEADER] === id ? { ...always, [REQUEST_ID_HEADER]: id } : always;
}

declare module 'fastify' {
  interface FastifyRequest {
    client: Client;
  }
}

/** Returns PUBLIC_URL, or else the request's origin. Throws ApiError 'invalid_input' (400) if neither exists. */
export function originOf({ client }: FastifyRequest, publicUrl: string | null): string {
  const origin = publicUrl ?? client.origin;
  if (origin === null) throw new ApiError('invalid_input', 'The Host header is not valid.');
  return origin;
}

/**
 * Gives each request its client, whose IP address is `ip`. A request with ambiguous headers is rejected with
 * 400. A request whose connection was already reset is not served, because its client cannot be counted.
 */
export function identifyClients(fastify: FastifyInstance, { clientOf }: Proxies): void {
  fastify.decorateRequest('client', {
    getter() {
      return clientOf(this.raw);
    },
  });
  fastify.decorateRequest('ip', {
    getter() {
      return this.client.address;
    },
  });
  fastify.addHook('onRequest', async ({ raw, client: { address, fault } }, reply) => {
    if (address === '') {
      reply.hijack();
      raw.destroy();
    } else if (fault !== null) throw new ApiError('invalid_input', fault);
  });
}
