import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import proxyAddress from '@fastify/proxy-addr';
import { LRUCache } from 'lru-cache';

/** The most addresses in the cache. The check of an address is the slowest part of a cache hit. */
const CHECKED_MAX = 1024;

export const REQUEST_ID_HEADER = 'x-request-id';
/** Characters that need no escaping in a header or in JSON; request-log.ts depends on this. */
const WELL_FORMED = /^[\w.:=+/-]{1,128}$/;
/** Other processes and other runs of this one have another prefix. */
const PREFIX_BYTES = 9;
const COUNTER_RADIX = 36;

/** The proxies whose `X-Forwarded-*` headers are trusted. */
export interface Proxies {
  readonly isTrusted: (address: string, distance: number) => boolean;
  /** Returns the client's address: the nearest one that is not a trusted proxy. */
  readonly clientAddress: (request: IncomingMessage) => string;
}

/** Returns the proxies of a list of addresses and networks. */
export function createProxies(networks: readonly string[]): Proxies {
  if (networks.length === 0) {
    return {
      isTrusted: () => false,
      clientAddress: ({ socket }) => socket.remoteAddress ?? '',
    };
  }
  const isInNetworks = proxyAddress.compile([...networks]);
  const checked = new LRUCache<string, boolean>({ max: CHECKED_MAX });
  const isTrusted = (address: string, distance: number) => {
    const cached = checked.get(address);
    if (cached !== undefined) return cached;
    const isProxy = isInNetworks(address, distance);
    checked.set(address, isProxy);
    return isProxy;
  };
  return { isTrusted, clientAddress: (request) => proxyAddress(request, isTrusted) };
}

export type RequestIds = (request: IncomingMessage) => string;

/**
 * Returns a function that reads a request's id: a well-formed X-Request-Id of a trusted proxy, or
 * else a unique one.
 */
export function createRequestIds({ isTrusted }: Pick<Proxies, 'isTrusted'>): RequestIds {
  const prefix = randomBytes(PREFIX_BYTES).toString('base64url');
  let count = 0;
  return ({ headers, socket }) => {
    const requested = headers[REQUEST_ID_HEADER];
    if (typeof requested === 'string' && WELL_FORMED.test(requested)) {
      if (isTrusted(socket.remoteAddress ?? '', 0)) return requested;
    }
    count += 1;
    return `${prefix}-${count.toString(COUNTER_RADIX)}`;
  };
}
