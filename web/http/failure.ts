import type { ApiErrorBody } from '#contract/api-error.ts';
import { NO_RESPONSE } from './request.ts';

/** The server's, or the one for no response. */
export function failureSentence({ error }: { readonly error: ApiErrorBody | null }): string {
  return error?.message || NO_RESPONSE;
}

/** Decided by the code, because a wrong one-time code is 403 too. */
export function hasSessionEnded({ error }: { readonly error: ApiErrorBody | null }): boolean {
  return error?.error === 'session_invalid';
}
