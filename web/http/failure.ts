import type { ApiErrorBody } from '#contract/api-error.ts';
import { NO_RESPONSE } from './request.ts';

/** Returns the sentence for a failed call: the server's, or the one for no response. */
export function failureSentence({ error }: { readonly error: ApiErrorBody | null }): string {
  return error?.message || NO_RESPONSE;
}

/** Whether the session has ended. Decided by the error code, because a wrong one-time code is 403 too. */
export function hasSessionEnded({ error }: { readonly error: ApiErrorBody | null }): boolean {
  return error?.error === 'session_invalid';
}
