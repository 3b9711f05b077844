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
const SUCCESS_MIN = 200;
const SUCCESS_MAX = 299;

export interface OutsideRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly signal: AbortSignal;
}

export interface OutsideResponse {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

export type Transport = ReturnType<typeof createTransport>;

/** An endpoint is not permitted, or its name has no public address. */
export class EndpointBlocked extends Error {
  override readonly name = 'EndpointBlocked';
}

type ResolveName = (hostname: string) => Promise<string[]>;

interface Options {
  /** An http(s) origin on this machine, for tests. */
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
export function createTransport({
  testOrigin = null,
  hasAnyPort = false,
  resolveName = resolveByDns(),
  timeoutMs = TIMEOUT_MS,
}: Options = {}) {
  const isTest = (endpoint: string) =>
    testOrigin !== null && URL.canParse(endpoint) && new URL(endpoint).origin === testOrigin;
  const isEndpoint = (endpoint: string) =>
    isTest(endpoint) || isPublicEndpoint(endpoint, hasAnyPort);
  const lookup = createPublicLookup(resolveName);
  return {
    isEndpoint,
    send: async ({ endpoint, headers, body, signal }: OutsideRequest) => {
      if (!isEndpoint(endpoint)) throw new EndpointBlocked('The endpoint is not permitted.');
      const request = endpoint.startsWith('http:') ? httpRequest : httpsRequest;
      const limit = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      return new Promise<OutsideResponse>((resolve, reject) => {
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

/** https on its default port unless another one is permitted, a full host name, no credentials. */
export function isPublicEndpoint(text: string, hasAnyPort = false): boolean {
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

export const isSuccess = (status: number): boolean =>
  status >= SUCCESS_MIN && status <= SUCCESS_MAX;

/** Seconds or a date (RFC 9110, section 10.2.3), in milliseconds. */
export function parseRetryAfter(value: string | undefined, now: number): number {
  if (value === undefined) return 0;
  const waitMs = /^\d+$/.test(value) ? Number(value) * SECOND_MS : Date.parse(value) - now;
  return Number.isFinite(waitMs) ? Math.max(0, waitMs) : 0;
}
