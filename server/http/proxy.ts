import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

import proxyAddress from '@fastify/proxy-addr';
import type { FastifyInstance, FastifyRequest } from 'fastify';

import { ApiError } from '#server/error.ts';

import { REQUEST_ID_HEADER, countRawHeaders } from './headers.ts';

const HOST = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[\da-fA-F:.]{2,45}\](?::\d{1,5})?$/;
const PROTOCOLS: ReadonlySet<string> = new Set(['http', 'https']);
/** Characters that need no escaping in a header or in JSON; request-log.ts depends on this. */
const WELL_FORMED = /^[\w.:=+/-]{1,128}$/;
/** Other processes and other runs of this one have another prefix. */
const PREFIX_BYTES = 9;
const COUNTER_RADIX = 36;

export interface Proxies {
  readonly isTrusted: (address: string, distance: number) => boolean;
  readonly clientAddress: (request: IncomingMessage) => string;
}

export function createProxies(networks: readonly string[]): Proxies {
  if (networks.length === 0) {
    return {
      isTrusted: () => false,
      clientAddress: ({ socket }) => socket.remoteAddress ?? '',
    };
  }
  const isTrusted = proxyAddress.compile([...networks]);
  return { isTrusted, clientAddress: (request) => proxyAddress(request, isTrusted) };
}

export type RequestIds = (request: IncomingMessage) => string;

/** A well-formed X-Request-Id of a trusted proxy, or else a unique one. */
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

export function isHost(text: string): boolean {
  return HOST.test(text) && URL.canParse(`http://${text}`);
}

/** PUBLIC_URL, or else the origin of the request. Throws ApiError 'invalid_input' (400). */
export function originOf(request: FastifyRequest, publicUrl: string | null): string {
  if (publicUrl !== null) return publicUrl;
  if (!isHost(request.host)) throw new ApiError('invalid_input', 'The Host header is not valid.');
  return `${request.protocol}://${request.host}`;
}

/** RFC 9112, section 3.2; also a trusted proxy's X-Forwarded-Proto or -Host that is not valid. */
export function rejectAmbiguousOrigins(fastify: FastifyInstance): void {
  fastify.addHook('onRequest', async (request) => {
    const { httpVersion, headers, rawHeaders } = request.raw;
    if (httpVersion === '1.1' && headers.host === undefined) throw invalidHeader('Host', 'missing');
    if (countRawHeaders(rawHeaders, 'host') > 1) throw invalidHeader('Host', 'not unique');
    // Fastify reads protocol and host from X-Forwarded headers if the proxy is trusted.
    if (!PROTOCOLS.has(request.protocol)) throw invalidHeader('X-Forwarded-Proto', 'not valid');
    if (headers['x-forwarded-host'] !== undefined && !isHost(request.host)) {
      throw invalidHeader('X-Forwarded-Host', 'not valid');
    }
  });
}

function invalidHeader(name: string, problem: string): ApiError {
  return new ApiError('invalid_input', `The ${name} header is ${problem}.`);
}
