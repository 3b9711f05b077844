import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import type { Proxies } from './proxy.ts';

export const REQUEST_ID_HEADER = 'x-request-id';
/** Characters that need no escaping in a header or in JSON; request-log.ts depends on this. */
const WELL_FORMED = /^[\w.:=+/-]{1,128}$/;
/** Other processes and other runs of this one have another prefix. */
const PREFIX_BYTES = 9;
const COUNTER_RADIX = 36;

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
