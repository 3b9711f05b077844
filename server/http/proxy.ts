import type { IncomingMessage } from 'node:http';

import proxyAddress from '@fastify/proxy-addr';
import { LRUCache } from 'lru-cache';

/** The most addresses in the cache. The check of an address is the slowest part of a cache hit. */
const CHECKED_MAX = 1024;

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
