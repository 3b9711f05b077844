import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { API_ERRORS } from '#contract/api-error.ts';
import type { ApiErrorBody, ApiErrorCode } from '#contract/api-error.ts';

import { ApiError } from './api-error.ts';
import { DEFAULT_HEADERS } from './headers.ts';

/** The error code for Node's errors about bytes that are not a request; any other is invalid_input. */
const CODE_BY_NODE_CODE: Readonly<Record<string, ApiErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too_large',
};
const MESSAGES: Partial<Record<ApiErrorCode, string>> = {
  too_slow: 'The request took too long to arrive.',
  headers_too_large: 'The headers of the request are too large.',
  too_large: 'That is more than is accepted here.',
};
const DEFAULT_MESSAGE = 'The request could not be read.';

/** How long the connection stays open after the error, so that the client can read it. */
const LINGER_MS = 500;

/** Answers bytes that are not a request with an ApiErrorBody and ends the connection. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  // After a partly sent response the client could not read a second one. Node's own handler checks
  // the same property.
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) {
    socket.destroy();
    return;
  }
  const code = CODE_BY_NODE_CODE[error.code ?? ''] ?? 'invalid_input';
  socket.end(rawResponse(code, MESSAGES[code] ?? DEFAULT_MESSAGE));
  // Closing while bytes still arrive would reset the connection and discard the response.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function rawResponse(code: ApiErrorCode, message: string): string {
  const status = API_ERRORS[code];
  const body = JSON.stringify({ error: code, message } satisfies ApiErrorBody);
  const headers = {
    ...DEFAULT_HEADERS,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/**
 * Handles what Node would answer with an empty body: a request without a Host header is rejected
 * (RFC 9112, section 3.2), and an unknown Expect header is ignored.
 */
export function handleProtocolErrors(fastify: FastifyInstance): void {
  fastify.server.on('checkExpectation', (request, response) =>
    fastify.server.emit('request', request, response),
  );
  fastify.addHook('onRequest', async ({ raw }) => {
    if (raw.httpVersion === '1.1' && raw.headers.host === undefined) {
      throw new ApiError('invalid_input', 'The Host header is missing.');
    }
  });
}
