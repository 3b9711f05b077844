import { Resolver } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import ipaddr from 'ipaddr.js';

import { SECOND_MS } from '#domain/duration.ts';
import { parseUrl } from '#domain/url.ts';

/** Azure's platform service: a public address that is inside the operator's network. */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);
/** All global unicast addresses that are assigned (RFC 4291, section 2.4; IANA). */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
const BRACKETS = /^\[|\]$/g;

/** The whole request, with the lookup of the name (docs/security.md#notifications). */
const TIMEOUT_MS = 10 * SECOND_MS;
const LOOKUP_TIMEOUT_MS = 2 * SECOND_MS;
const LOOKUP_TRIES = 2;

interface PushRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

interface PushResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

export interface PushTransport {
  readonly send: (request: PushRequest) => Promise<PushResponse>;
  readonly isEndpoint: (endpoint: string) => boolean;
}

/** An endpoint is not of a push service, or its name has no public address. */
export class EndpointBlocked extends Error {
  override readonly name = 'EndpointBlocked';
}

type ResolveName = (hostname: string) => Promise<string[]>;

interface Options {
  /** The http(s) origin of a push service on this machine, for tests. */
  readonly testOrigin?: string | null;
  /** Whether an endpoint may have another port than 443. */
  readonly hasAnyPort?: boolean;
  readonly resolveName?: ResolveName;
  readonly timeoutMs?: number;
}

/**
 * Connects to public addresses only, checked at the connection; no redirect, no body. `send` throws
 * EndpointBlocked or the error.
 */
export function createPushTransport({
  testOrigin = null,
  hasAnyPort = false,
  resolveName = resolveByDns(),
  timeoutMs = TIMEOUT_MS,
}: Options = {}): PushTransport {
  const isTest = (endpoint: string) =>
    testOrigin !== null && URL.canParse(endpoint) && new URL(endpoint).origin === testOrigin;
  const isEndpoint = (endpoint: string) => isTest(endpoint) || isPushEndpoint(endpoint, hasAnyPort);
  const lookup = createPublicLookup(resolveName);
  return {
    isEndpoint,
    send: async ({ endpoint, headers, body, signal }) => {
      if (!isEndpoint(endpoint)) throw new EndpointBlocked('The endpoint is not permitted.');
      const request = endpoint.startsWith('http:') ? httpRequest : httpsRequest;
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      return new Promise<PushResponse>((resolve, reject) => {
        const options = {
          method: 'POST',
          headers: { ...headers, 'content-length': body.length },
          // An open connection is not used again: its address was checked for another name.
          agent: false,
          signal: limit,
          ...(isTest(endpoint) ? {} : { lookup }),
        } as const;
        request(endpoint, options, (response) => {
          resolve({
            status: response.statusCode ?? 0,
            retryAfter: response.headers['retry-after'],
          });
          response.on('error', () => undefined);
          response.destroy();
        })
          .on('error', reject)
          .end(body);
      });
    },
  };
}

function createPublicLookup(resolveName: ResolveName): LookupFunction {
  const find = callbackify(async (hostname: string) => {
    const addresses = (await resolveName(hostname)).filter(isPublicAddress);
    if (addresses.length === 0) throw new EndpointBlocked('The name has no public address.');
    return addresses.map((address) => ({ address, family: isIP(address) }));
  });
  return (hostname, { all }, callback) =>
    find(hostname, (error, addresses) => {
      const [first] = error ? [] : addresses;
      if (!first) callback(error, '');
      else if (all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
}

/** Names are chosen by owners: the system's resolver would occupy a thread that files need too. */
function resolveByDns(): ResolveName {
  const resolver = new Resolver({ timeout: LOOKUP_TIMEOUT_MS, tries: LOOKUP_TRIES });
  return async (hostname) => {
    const results = await Promise.allSettled([
      resolver.resolve4(hostname),
      resolver.resolve6(hostname),
    ]);
    const addresses = results.flatMap((result) =>
      result.status === 'fulfilled' ? result.value : [],
    );
    const failed = results.find((result) => result.status === 'rejected');
    if (addresses.length === 0 && failed) throw failed.reason;
    return addresses;
  };
}

export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  // An IPv4 address inside an IPv6 one is checked as IPv4.
  const parsed = ipaddr.process(address);
  const isGlobal = parsed.kind() === 'ipv4' || parsed.match(GLOBAL_IPV6);
  return isGlobal && parsed.range() === 'unicast' && !PLATFORM_ADDRESSES.has(parsed.toString());
}

export function isPushEndpoint(text: string, hasAnyPort = false): boolean {
  const url = parseUrl(text);
  if (url === null) return false;
  const { protocol, hostname, port, username, password } = url;
  return (
    protocol === 'https:' &&
    (port === '' || hasAnyPort) &&
    username === '' &&
    password === '' &&
    isIP(hostname.replace(BRACKETS, '')) === 0 &&
    // 'localhost' and the names of containers have no dot inside.
    hostname.replace(/\.$/, '').includes('.')
  );
}
