import type { IncomingMessage, OutgoingHttpHeader, ServerResponse } from 'node:http';

import type { FastifyReply, FastifyRequest } from 'fastify';

import { matchesEtag } from './etag.ts';
import type { EncodedResponse, FinishedResponse } from './finished-response.ts';
import { chooseEncoding } from './negotiation.ts';
import type { Encoding } from './negotiation.ts';

const NOT_MODIFIED = 304;

/**
 * Sends a finished response: 304 if the client already has it, else the body in the encoding that the
 * client prefers. HEAD gets no body. It bypasses `reply.send`, because for a cached response that
 * would take longer than everything else.
 */
export async function sendFinished(
  request: FastifyRequest,
  reply: FastifyReply,
  response: FinishedResponse,
): Promise<FastifyReply> {
  const encoded = await response.encode(encodingFor(request.raw, response));
  reply.hijack();
  writeFinished(request.raw, reply.raw, { response, encoded });
  return reply;
}

/** Returns the encoding for the response to a request. */
export function encodingFor({ headers }: IncomingMessage, response: FinishedResponse): Encoding {
  return response.isCompressible ? chooseEncoding(headers['accept-encoding']) : 'identity';
}

interface Finished {
  readonly response: FinishedResponse;
  readonly encoded: EncodedResponse;
  /** Headers that depend on the request, as a flat list. */
  readonly extraHeaders?: readonly OutgoingHttpHeader[];
}

/** Writes a finished response in the encoding for the request; returns the status. */
export function writeFinished(
  { headers }: IncomingMessage,
  raw: ServerResponse,
  { response, encoded, extraHeaders = [] }: Finished,
): number {
  if (isNotModified(headers['if-none-match'], encoded)) {
    raw.writeHead(NOT_MODIFIED, [...extraHeaders, ...encoded.headersWithoutBody]).end();
    return NOT_MODIFIED;
  }
  // Node omits the body if the method is HEAD.
  raw.writeHead(response.status, [...extraHeaders, ...encoded.headers]).end(encoded.body);
  return response.status;
}

function isNotModified(header: string | undefined, { etag }: EncodedResponse): boolean {
  if (header === undefined || etag === null) return false;
  return header.trim() === '*' || matchesEtag(header, etag);
}
