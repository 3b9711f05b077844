import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Proxies } from './proxy.ts';

export const REQUEST_ID_HEADER = 'x-request-id';
/** Needs no escape in a header and in JSON. */
const WELL_FORMED = /^[\w.:=+/-]{1,128}$/;
/** Other processes and other runs of this one have another prefix. */
const PREFIX_BYTES = 9;
const COUNTER_RADIX = 36;

/** Returns the id of a request, and whether a trusted proxy has set it. */
export type RequestIds = (request: IncomingMessage) => { id: string; isGiven: boolean };

/**
 * Returns a function that reads a request's id: a well-formed X-Request-Id of a trusted proxy, or
 * else a unique one.
 */
export function createRequestIds({ isTrusted }: Pick<Proxies, 'isTrusted'>): RequestIds {
  const prefix = randomBytes(PREFIX_BYTES).toString('base64url');
  let count = 0;
  return ({ headers, socket }) => {
    const given = headers[REQUEST_ID_HEADER];
    if (typeof given === 'string' && WELL_FORMED.test(given)) {
      if (isTrusted(socket.remoteAddress ?? '', 0)) return { id: given, isGiven: true };
    }
    count += 1;
    return { id: `${prefix}-${count.toString(COUNTER_RADIX)}`, isGiven: false };
  };
}
