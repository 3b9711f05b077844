import type { ApiErrorCode } from '#contract/api-error.ts';

const INVALID_INPUT_MESSAGE = 'The request could not be read.';
/** The messages of errors that Node or Fastify report, and of paths without a route. */
const MESSAGES: Partial<Record<ApiErrorCode, string>> = {
  too_slow: 'The request took too long to arrive.',
  headers_too_large: 'The headers of the request are too large.',
  too_large: 'That is more than is accepted here.',
  not_found: 'There is nothing here.',
  media_type_unsupported: 'That kind of content is not accepted here.',
  internal: 'Something went wrong on our side. Try again.',
};

/** Returns the message of an error that no handler has thrown itself. */
export function errorMessage(code: ApiErrorCode): string {
  return MESSAGES[code] ?? INVALID_INPUT_MESSAGE;
}
