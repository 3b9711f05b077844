import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import type { ApiErrorBody, ApiErrorCode } from '#contract/api-error.ts';

import { ApiError } from './api-error.ts';
import { putHeaders } from './headers.ts';
import { API_PREFIX } from './route.ts';

const SERVER_ERROR = 500;
const WORD_BY_STATUS: Readonly<Record<number, ApiErrorCode>> = {
  404: 'not_found',
  413: 'too_large',
  415: 'media_type_unsupported',
};
const SENTENCE: Partial<Record<ApiErrorCode, string>> = {
  not_found: 'There is nothing here.',
  too_large: 'That is more than is accepted here.',
  media_type_unsupported: 'That kind of content is not accepted here.',
  invalid_input: 'The request could not be read.',
  internal: 'Something went wrong on our side. Try again.',
};

/** Draws the error page for a status; answers a browser that asked for a page. */
export type ErrorPage = (status: number, reply: FastifyReply) => FastifyReply;

/** KeyedMutex whatever was thrown into the one shape of refusals. Nothing of a stack ever leaves. */
export function refuse(renderPage: ErrorPage) {
  return (error: FastifyError | ApiError, request: FastifyRequest, reply: FastifyReply) => {
    const fault = toApiError(error);
    if (fault.status >= SERVER_ERROR)
      request.log.error({ err: fault.cause ?? error }, fault.message);
    if (fault.retryAfterSeconds !== null) {
      void reply.header('retry-after', String(fault.retryAfterSeconds));
    }
    void reply.header('cache-control', 'no-store');
    if (!request.url.startsWith(`${API_PREFIX}/`)) return renderPage(fault.status, reply);
    const body: ApiErrorBody = { error: fault.code, message: fault.message };
    return reply.code(fault.status).send(body);
  };
}

/** Answers whatever no route answers. */
export function notFoundHandler(renderPage: ErrorPage) {
  const refuseAny = refuse(renderPage);
  return (request: FastifyRequest, reply: FastifyReply) =>
    refuseAny(new ApiError('not_found', SENTENCE.not_found ?? ''), request, reply);
}

/** Answers what never becomes a request to a route, such as an address with a broken escape. */
export function frameworkErrorHandler(renderPage: ErrorPage) {
  const refuseAny = refuse(renderPage);
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    putHeaders(reply);
    void refuseAny(error, request, reply);
  };
}

function toApiError(error: FastifyError | ApiError): ApiError {
  if (error instanceof ApiError) return error;
  const status = error.statusCode ?? SERVER_ERROR;
  const word = status >= SERVER_ERROR ? 'internal' : (WORD_BY_STATUS[status] ?? 'invalid_input');
  return new ApiError(word, SENTENCE[word] ?? '', { cause: error });
}
