import { API_ERRORS } from '#contract/api-error.ts';
import type { ApiErrorBody, ApiErrorCode } from '#contract/api-error.ts';
import { NETWORKS } from '#domain/network.ts';
import { PROFILE_FIELDS } from '#domain/profile-field.ts';

import { NO_RESPONSE, SERVER_ERROR_STATUS } from './request.ts';

const INVALID = 'invalid_input' satisfies ApiErrorCode;
/** Matches a path such as 'socialMediaHandles.Web' and a problem, but no sentence, which begins with a capital. */
const FIELD_AND_PROBLEM = /^([a-z]\w*(?:\.\w+)*) (.*[^.])\.?$/s;
const LINK = /^links\.(\d+)\.(label|url)$/;

const PROXY_REJECTED = 'A proxy rejected this request.';
const PROXY_ANSWERED = 'A proxy answered instead of the service. Try again.';
const SERVER_FAILED = "The service couldn't answer. Try again in a moment.";

export interface Failure {
  readonly status: number;
  readonly error: ApiErrorBody | null;
  /** The headers contain at most Retry-After. */
  readonly headers?: Readonly<Record<string, string>>;
  /** This is set if neither the service nor a proxy has answered. */
  readonly isUnanswered?: true;
  /** This is set if the connection was lost, and not if the answer took too long. */
  readonly isCut?: boolean;
}

/**
 * Returns the server's sentence, with the field named as it is on the page. If there is none, returns a
 * sentence that says what happened. The server explains each of its failures, so an answer without an
 * explanation comes from a proxy or from a server that has crashed.
 */
export function failureSentence({ status, error, isUnanswered }: Failure): string {
  const [, path, problem] = FIELD_AND_PROBLEM.exec(error?.message ?? '') ?? [];
  if (path !== undefined && error?.error === INVALID) return `${labelOf(path)} ${problem}.`;
  if (error?.message) return error.message;
  if (isUnanswered) return NO_RESPONSE;
  if (status >= SERVER_ERROR_STATUS) return SERVER_FAILED;
  return status >= API_ERRORS.invalid_input ? PROXY_REJECTED : PROXY_ANSWERED;
}

function labelOf(path: string): string {
  const [, number, part] = LINK.exec(path) ?? [];
  if (number !== undefined)
    return `Link ${Number(number) + 1} ${part === 'url' ? 'address' : 'text'}`;
  const key = path.split('.').at(-1) ?? '';
  const fields: Readonly<Record<string, { readonly label: string }>> = PROFILE_FIELDS;
  return NETWORKS.find((network) => network === key) ?? fields[key]?.label ?? 'What you typed';
}
