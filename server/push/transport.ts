import { Resolver } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP } from 'node:net';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

import { SECOND_MS } from '#domain/duration.ts';

import { isPublicAddress, isPushEndpoint } from './endpoint.ts';

/** From docs/security.md#notifications: the whole request, with the lookup of the name. */
const TIMEOUT_MS = 10 * SECOND_MS;
const LOOKUP_TIMEOUT_MS = 2 * SECOND_MS;
const LOOKUP_TRIES = 2;

/** A POST to a push service. */
export interface PushRequest {
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  /** Aborts the request before the timeout. */
  readonly signal: AbortSignal;
}

export interface PushResponse {
  readonly status: number;
  /** The header Retry-After. */
  readonly retryAfter: string | undefined;
}

/** Sends requests to push services. */
export interface PushTransport {
  readonly send: (request: PushRequest) => Promise<PushResponse>;
  /** Whether an endpoint may be stored. */
  readonly isEndpoint: (endpoint: string) => boolean;
}

/** The error for an endpoint that is not of a push service, or whose name has no public address. */
export class EndpointBlocked extends Error {
  override readonly name = 'EndpointBlocked';
}

/** Returns all addresses of a host name. */
export type ResolveName = (hostname: string) => Promise<string[]>;

interface Options {
  /** The http(s) origin of a push service on this machine, for tests. */
  readonly testOrigin?: string | null;
  readonly resolveName?: ResolveName;
  readonly timeoutMs?: number;
}

/**
 * Returns a transport to push services. It connects to public addresses only (it checks the address
 * that it connects to), follows no redirect and reads no body of a response. `send` throws
 * EndpointBlocked, or another error if there is no response in time.
 */
export function createPushTransport({
  testOrigin = null,
  resolveName = resolveByDns(),
  timeoutMs = TIMEOUT_MS,
}: Options = {}): PushTransport {
  const isTest = (endpoint: string) =>
    testOrigin !== null && URL.canParse(endpoint) && new URL(endpoint).origin === testOrigin;
  const isEndpoint = (endpoint: string) => isTest(endpoint) || isPushEndpoint(endpoint);
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

/** Resolves a name to its public addresses. Fails with EndpointBlocked if it has no public one. */
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

/**
 * Resolves names without the system's resolver, which would occupy a thread that files need too: names
 * are chosen by owners, and their servers may be slow.
 */
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
