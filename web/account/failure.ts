import type { ApiErrorBody } from '#contract/api-error.ts';

const NO_RESPONSE = 'The service cannot be reached. Check your connection and try again.';

/** Returns the sentence for a failed call: the server's, or that there was no response. */
export function failureSentence({ error }: { readonly error: ApiErrorBody | null }): string {
  return error?.message || NO_RESPONSE;
}

/** Whether a failed call says that the session has ended; a wrong code is another 403. */
export function hasSessionEnded({ error }: { readonly error: ApiErrorBody | null }): boolean {
  return error?.error === 'session_invalid';
}
