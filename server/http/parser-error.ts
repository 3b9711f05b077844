import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { API_ERRORS } from '#contract/api-error.ts';
import type { ApiErrorBody, ApiErrorCode } from '#contract/api-error.ts';

import { errorMessage } from './error-handler.ts';
import { DEFAULT_HEADERS, hstsHeaders } from './headers.ts';

/** The error code for Node's errors about bytes that are not a request; any other is invalid_input. */
const CODE_BY_NODE_CODE: Readonly<Record<string, ApiErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too_large',
};

/** How long the connection stays open after the error, so that the client can read it. */
const LINGER_MS = 500;

/** After a part of a response the client could not read a second one. */
export function createClientErrorHandler(
  publicUrl: string | null,
  isResponding: (socket: Socket) => boolean,
) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || isResponding(socket)) {
      socket.destroy();
      return;
    }
    const code = CODE_BY_NODE_CODE[error.code ?? ''] ?? 'invalid_input';
    socket.end(rawResponse(code, hstsHeaders(publicUrl)));
    // Closing while bytes still arrive would reset the connection and discard the response.
    socket.resume();
    setTimeout(() => socket.destroy(), LINGER_MS).unref();
  };
}

function rawResponse(code: ApiErrorCode, hsts: Readonly<Record<string, string>>): string {
  const status = API_ERRORS[code];
  const message = errorMessage(code);
  const body = JSON.stringify({ error: code, message } satisfies ApiErrorBody);
  const headers = {
    ...DEFAULT_HEADERS,
    ...hsts,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/** Answers a request with an unknown Expect header as if it had none, instead of Node's 417. */
export function ignoreExpectHeader({ server }: FastifyInstance): void {
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
}
