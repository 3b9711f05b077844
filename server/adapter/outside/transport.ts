import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import ipaddr from 'ipaddr.js';

import { SECOND_MS } from '#domain/duration.ts';
import { parseUrl } from '#domain/url.ts';

import { NAME_NOT_FOUND, NoResponseError, exchange } from './exchange.ts';
import type { OutsideRequest } from './exchange.ts';

/** Azure's platform service has a public IP address that leads into the operator's network. */
const PLATFORM_ADDRESSES = new Set(['168.63.129.16']);
/** This range has all global unicast addresses that IANA assigns (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3');
const BRACKETS = /^\[|\]$/g;

/** Limits the whole request and the lookup of its name (docs/develop/security.md#notifications). */
const TIMEOUT_MS = 10 * SECOND_MS;
const LOOKUP_TIMEOUT_MS = 2 * SECOND_MS;
const LOOKUP_TRIES = 2;
export type Transport = ReturnType<typeof createTransport>;

/**
 * An endpoint is not permitted, or its host name has no public IP address. The owner sees the same reason
 * as for a name that does not exist, and so learns nothing about the names in the operator's network.
 */
export class EndpointBlocked extends NoResponseError {
  override readonly name = 'EndpointBlocked';

  constructor() {
    super(NAME_NOT_FOUND);
  }
}

type ResolveName = (hostname: string) => Promise<string[]>;

interface Options {
  /** An origin on this machine, which tests permit. */
  readonly testOrigin?: string | null;
  /** Whether an endpoint may have another port than 443. */
  readonly hasAnyPort?: boolean;
  readonly resolveName?: ResolveName;
  readonly timeoutMs?: number;
}

/**
 * Connects to public addresses only, checked at the connection, and follows no redirect. `send` settles
 * within its time, whatever the receiver does. Throws NoResponseError, of which EndpointBlocked is one.
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
    send: async (request: OutsideRequest) => {
      const { endpoint } = request;
      if (!isEndpoint(endpoint)) throw new EndpointBlocked();
      return exchange(request, { timeoutMs, ...(isTest(endpoint) ? {} : { lookup }) });
    },
  };
}

function createPublicLookup(resolveName: ResolveName): LookupFunction {
  const find = callbackify(async (hostname: string) => {
    const found = await resolveName(hostname).catch((error: unknown) => {
      throw new NoResponseError(NAME_NOT_FOUND, { cause: error });
    });
    const addresses = found.filter(isPublicAddress);
    if (addresses.length === 0) throw new EndpointBlocked();
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

/** Owners choose the names, and the system's resolver would occupy a thread that files need too. */
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

/** Returns whether a text is an https URL of a full host name without credentials, on the default port unless another is permitted. */
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
