import type { ApiErrorBody } from '#contract/api-error.ts';
import { NO_RESPONSE } from './request.ts';

/** Returns the sentence for a failed call: the server's, or that there was no response. */
export function failureSentence({ error }: { readonly error: ApiErrorBody | null }): string {
  return error?.message || NO_RESPONSE;
}

/** Whether a failed call says that the session has ended; a wrong code is another 403. */
export function hasSessionEnded({ error }: { readonly error: ApiErrorBody | null }): boolean {
  return error?.error === 'session_invalid';
}
