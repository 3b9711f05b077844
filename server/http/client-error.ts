import type { ServerResponse } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyInstance } from 'fastify';

import { API_ERRORS } from '#contract/api-error.ts';
import type { ApiErrorBody, ApiErrorCode } from '#contract/api-error.ts';

import { ApiError } from './api-error.ts';
import { EVERYWHERE } from './headers.ts';

/** What Node says of bytes that never become a request, and what the caller is told. */
const REFUSAL_BY_CODE: Readonly<Record<string, ApiErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too_large',
};
const SENTENCE: Partial<Record<ApiErrorCode, string>> = {
  too_slow: 'The request took too long to arrive.',
  headers_too_large: 'The headers of the request are too large.',
  too_large: 'That is more than is accepted here.',
};
const ANY_OTHER = 'The request could not be read.';

/** How long a caller that goes on sending is listened to, so that it can read the refusal. */
const LINGER_MS = 500;

/** Answers bytes that are no request, in the one shape of refusals, and ends the connection. */
export function handleClientError(error: Error & { code?: string }, socket: Socket): void {
  // The answer of an earlier request may be half out: nothing that is put after it could be read.
  // Node's own handler looks at the same property.
  const { _httpMessage: current } = socket as { _httpMessage?: ServerResponse | null };
  if (error.code === 'ECONNRESET' || !socket.writable || current?.headersSent) {
    socket.destroy();
    return;
  }
  const word = REFUSAL_BY_CODE[error.code ?? ''] ?? 'invalid_input';
  socket.end(rawAnswer(word, SENTENCE[word] ?? ANY_OTHER));
  // Closing while bytes are still coming in would throw the answer away on its way out.
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

function rawAnswer(word: ApiErrorCode, message: string): string {
  const status = API_ERRORS[word];
  const body = JSON.stringify({ error: word, message } satisfies ApiErrorBody);
  const headers = {
    ...EVERYWHERE,
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n${body}`;
}

/**
 * What Node would answer with an empty body of its own: a request without a Host is refused like
 * any other (RFC 9112, 3.2), an expectation that is not ours to meet is not looked at.
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
