import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { API_ERRORS } from '#contract/api-error.ts';
import type { ApiErrorBody, ApiErrorCode } from '#contract/api-error.ts';

import { ApiError } from './api-error.ts';
import { DEFAULT_HEADERS, countRawHeaders, hstsHeaders } from './headers.ts';
import { isHost } from './origin.ts';

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

/** Returns a function that answers bytes that are not a request and ends the connection. */
export function createClientErrorHandler(publicUrl: string | null) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    // After a partly sent response the client could not read a second one. Node's own handler
    // checks the same property.
    const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse | null };
    if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) {
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

function rawResponse(code: ApiErrorCode, transport: Readonly<Record<string, string>>): string {
  const status = API_ERRORS[code];
  const message = MESSAGES[code] ?? DEFAULT_MESSAGE;
  const body = JSON.stringify({ error: code, message } satisfies ApiErrorBody);
  const headers = {
    ...DEFAULT_HEADERS,
    ...transport,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/**
 * Rejects requests with an ambiguous origin: an HTTP/1.1 request without a Host header (RFC 9112,
 * section 3.2), several Host headers, and X-Forwarded headers of a trusted proxy that contain
 * neither http nor https, or no host. An unknown Expect header is ignored.
 */
export function handleProtocolErrors(fastify: FastifyInstance): void {
  fastify.server.on('checkExpectation', (request, response) =>
    fastify.server.emit('request', request, response),
  );
  fastify.addHook('onRequest', async (request) => {
    const { httpVersion, headers, rawHeaders } = request.raw;
    if (httpVersion === '1.1' && headers.host === undefined) throw invalidHeader('Host', 'missing');
    if (countRawHeaders(rawHeaders, 'host') > 1) throw invalidHeader('Host', 'not unique');
    // Both are the proxy's, if it is trusted; else they are the request's own.
    if (!PROTOCOLS.has(request.protocol)) throw invalidHeader('X-Forwarded-Proto', 'not valid');
    if (headers['x-forwarded-host'] !== undefined && !isHost(request.host)) {
      throw invalidHeader('X-Forwarded-Host', 'not valid');
    }
  });
}

const PROTOCOLS: ReadonlySet<string> = new Set(['http', 'https']);

function invalidHeader(name: string, problem: string): ApiError {
  return new ApiError('invalid_input', `The ${name} header is ${problem}.`);
}
