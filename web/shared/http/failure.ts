import type { ApiErrorBody } from '#contract/api-error.ts';
import { NO_RESPONSE } from './request.ts';

/** The server's, or the one for no response. */
export function failureSentence({ error }: { readonly error: ApiErrorBody | null }): string {
  return error?.message || NO_RESPONSE;
}
