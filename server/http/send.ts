import type { IncomingMessage, ServerResponse } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { corsHeaders } from './cors.ts';
import type { EncodedResponse, StoredResponse } from './stored-response.ts';
import { chooseEncoding, matchesEtag } from './negotiation.ts';
import type { Encoding } from './negotiation.ts';

const NOT_MODIFIED = 304;

export const sendStored = createSender();
/** For a response that was rendered before the newest change of its card: no cache may keep it. */
export const sendUnstorable = createSender('no-store');
export const sendPrivate = createSender('private, no-store');

/** The sender writes without `reply.send`, which takes longer than all other steps of a response. */
function createSender(cacheControl?: string) {
  return ({ raw }: FastifyRequest, reply: FastifyReply, response: StoredResponse): FastifyReply => {
    const encoded = response.encode(encodingFor(raw, response), cacheControl);
    reply.hijack();
    writeStored(raw, reply.raw, { encoded, extraHeaders: corsHeaders(reply) });
    return reply;
  };
}

export function encodingFor({ headers }: IncomingMessage, response: StoredResponse): Encoding {
  return response.isCompressible ? chooseEncoding(headers['accept-encoding']) : 'identity';
}

interface Written {
  readonly encoded: EncodedResponse;
  readonly extraHeaders?: Readonly<Record<string, string>>;
}

export function writeStored(
  { headers }: IncomingMessage,
  raw: ServerResponse,
  { encoded, extraHeaders = {} }: Written,
): number {
  const extra = Object.entries(extraHeaders).flat();
  if (isNotModified(headers['if-none-match'], encoded)) {
    raw.writeHead(NOT_MODIFIED, [...extra, ...encoded.headersWithoutBody]).end();
    return NOT_MODIFIED;
  }
  // Node omits the body if the method is HEAD.
  raw.writeHead(encoded.status, [...extra, ...encoded.headers]).end(encoded.body);
  return encoded.status;
}

function isNotModified(header: string | undefined, { etag }: EncodedResponse): boolean {
  if (header === undefined || etag === null) return false;
  return header.trim() === '*' || matchesEtag(header, etag);
}
