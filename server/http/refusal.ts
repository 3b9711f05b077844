import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

import type { FaultBody, FaultWord } from '#contract/fault.ts';

import { Fault } from './fault.ts';
import { putHeaders } from './headers.ts';
import { API_PREFIX } from './route.ts';

const SERVER_ERROR = 500;
const WORD_BY_STATUS: Readonly<Record<number, FaultWord>> = {
  404: 'not_found',
  413: 'too_large',
  415: 'media_type_unsupported',
};
const SENTENCE: Partial<Record<FaultWord, string>> = {
  not_found: 'There is nothing here.',
  too_large: 'That is more than is accepted here.',
  media_type_unsupported: 'That kind of content is not accepted here.',
  invalid_input: 'The request could not be read.',
  internal: 'Something went wrong on our side. Try again.',
};

/** Draws the error page for a status; answers a browser that asked for a page. */
export type ErrorPage = (status: number, reply: FastifyReply) => FastifyReply;

/** Turns whatever was thrown into the one shape of refusals. Nothing of a stack ever leaves. */
export function refuse(drawPage: ErrorPage) {
  return (error: FastifyError | Fault, request: FastifyRequest, reply: FastifyReply) => {
    const fault = asFault(error);
    if (fault.status >= SERVER_ERROR)
      request.log.error({ err: fault.cause ?? error }, fault.message);
    if (fault.retryAfterSeconds !== null) {
      void reply.header('retry-after', String(fault.retryAfterSeconds));
    }
    void reply.header('cache-control', 'no-store');
    if (!request.url.startsWith(`${API_PREFIX}/`)) return drawPage(fault.status, reply);
    const body: FaultBody = { error: fault.word, message: fault.message };
    return reply.code(fault.status).send(body);
  };
}

/** Answers whatever no route answers. */
export function refuseUnknown(drawPage: ErrorPage) {
  const refuseAny = refuse(drawPage);
  return (request: FastifyRequest, reply: FastifyReply) =>
    refuseAny(new Fault('not_found', SENTENCE.not_found ?? ''), request, reply);
}

/** Answers what never becomes a request to a route, such as an address with a broken escape. */
export function refuseUnreadable(drawPage: ErrorPage) {
  const refuseAny = refuse(drawPage);
  return (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    putHeaders(reply);
    void refuseAny(error, request, reply);
  };
}

function asFault(error: FastifyError | Fault): Fault {
  if (error instanceof Fault) return error;
  const status = error.statusCode ?? SERVER_ERROR;
  const word = status >= SERVER_ERROR ? 'internal' : (WORD_BY_STATUS[status] ?? 'invalid_input');
  return new Fault(word, SENTENCE[word] ?? '', { cause: error });
}
