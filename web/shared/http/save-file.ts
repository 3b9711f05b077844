import { apiErrorSchema } from '#contract/api-error.ts';
import type { ApiErrorBody } from '#contract/api-error.ts';
import type { Endpoint, RequestInput } from '#contract/endpoint.ts';
import { MINUTE_MS } from '#domain/duration.ts';

import { callUrl, requestOptions } from './call.ts';
import { logFailure } from './report.ts';
import { fetchInTime } from './request.ts';
import { checkSession } from './session-end.ts';

/** Some browsers read the blob only some time after the click. */
const REVOKE_AFTER_MS = MINUTE_MS;

type Result = { readonly isSaved: boolean; readonly error: ApiErrorBody | null };

/** No URL contains the session token. Never throws; ends after 15 s without progress. */
export async function saveFile<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E>,
  fileName: string,
): Promise<Result> {
  try {
    const response = await fetchInTime(callUrl(endpoint, input), requestOptions(endpoint, input));
    const blob = new Blob([await response.blob()], { type: endpoint.replyType ?? '' });
    if (!response.ok) {
      const json: unknown = JSON.parse(await blob.text());
      const error = apiErrorSchema.safeParse(json).data ?? null;
      await checkSession(error);
      return { isSaved: false, error };
    }
    saveBlob(blob, fileName);
    return { isSaved: true, error: null };
  } catch (cause) {
    logFailure('The download failed', cause);
    return { isSaved: false, error: null };
  }
}

export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
