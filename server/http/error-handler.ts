import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

import type { FastifyError, FastifyReply, FastifyRequest, FastifyInstance } from 'fastify';

import { API_ERRORS } from '#contract/api-error.ts';
import type { ApiErrorBody, ApiErrorCode } from '#contract/api-error.ts';
import { CATALOGUES } from '#domain/language/catalogues.ts';
import type { Language } from '#domain/language/language.ts';
import { ApiError } from '#server/error.ts';
import type { Settings } from '#server/settings/settings.ts';

import { defaultHeaderSetter, DEFAULT_HEADERS, hstsHeaders } from './headers.ts';
import { languageIn } from './language.ts';
import { API_PREFIX } from './route.ts';

const SERVER_ERROR = 500;
const CODE_BY_STATUS: Readonly<Record<number, ApiErrorCode>> = {
  404: 'not_found',
  413: 'too_large',
  415: 'media_type_unsupported',
};

const INVALID_INPUT_MESSAGE = "We couldn't read the request.";
/** The messages of errors that Node or Fastify report, and of paths without a route. */
const MESSAGES: Partial<Record<ApiErrorCode, string>> = {
  too_slow: 'The request took too long to arrive.',
  headers_too_large: 'The headers of the request are too large.',
  too_large: 'The request is too large.',
  not_found: "There's nothing here.",
  media_type_unsupported: "We don't accept this kind of content here.",
  internal: 'Something went wrong on our side. Try again.',
};

export type SendErrorPage = (status: number, reply: FastifyReply) => FastifyReply;

type Thrown = FastifyError | ApiError;

/**
 * Returns handlers that answer with an ApiErrorBody under /api and with the error page elsewhere. Neither
 * answer contains a stack or the message of another library.
 */
export function createErrorHandlers(
  sendErrorPage: SendErrorPage,
  { publicUrl, languages }: Pick<Settings, 'publicUrl' | 'languages'>,
) {
  const setDefaultHeaders = defaultHeaderSetter(publicUrl);

  function handleError(thrown: Thrown, request: FastifyRequest, reply: FastifyReply) {
    const error = toApiError(thrown);
    if (error.status >= SERVER_ERROR) {
      // The request's own logger is silent for uploads.
      request.server.log.error({ reqId: request.id, err: error.cause ?? thrown }, error.message);
    }
    if (error.retryAfterSeconds !== null) {
      void reply.header('retry-after', String(error.retryAfterSeconds));
    }
    void reply.header('cache-control', 'no-store');
    if (!request.url.startsWith(`${API_PREFIX}/`)) return sendErrorPage(error.status, reply);
    const { language } = languageIn(request.query, languages);
    const body: ApiErrorBody = { error: error.code, message: messageIn(language, error) };
    return reply.code(error.status).send(body);
  }

  return {
    handleError,
    handleNotFound: (request: FastifyRequest, reply: FastifyReply) =>
      handleError(new ApiError('not_found', errorMessage('not_found')), request, reply),
    /** Handles errors before routing, such as a URL with a broken escape. No hook has run by then. */
    handleFrameworkError: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      setDefaultHeaders(reply);
      void handleError(error, request, reply);
    },
  };
}

function toApiError(error: Thrown): ApiError {
  if (error instanceof ApiError) return error;
  const status = error.statusCode ?? SERVER_ERROR;
  const code = status >= SERVER_ERROR ? 'internal' : (CODE_BY_STATUS[status] ?? 'invalid_input');
  return new ApiError(code, errorMessage(code), { cause: error });
}

/** Returns the message in the language, or a general one if it has no translations. */
function messageIn(language: Language, { status, message, translate }: ApiError): string {
  if (language === 'en') return message;
  const texts = CATALOGUES[language];
  const isBusy = status === API_ERRORS.unavailable || status === API_ERRORS.too_many_requests;
  return translate?.(texts, language) ?? texts.answer[isBusy ? 'unavailable' : 'ourFault'];
}

export function errorMessage(code: ApiErrorCode): string {
  return MESSAGES[code] ?? INVALID_INPUT_MESSAGE;
}

/** Maps Node's errors about bytes that are not a request. Any other such error is invalid_input. */
const CODE_BY_NODE_CODE: Readonly<Record<string, ApiErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'too_slow',
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'too_large',
};

/** The connection stays open for this long after an error, so that the client can read it. */
const LINGER_MS = 500;

/** If a response has already begun, the connection is only closed: the client could not read a second one. */
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
