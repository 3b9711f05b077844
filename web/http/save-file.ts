import { apiErrorSchema } from '#contract/api-error.ts';
import type { ApiErrorBody } from '#contract/api-error.ts';
import type { Endpoint, RequestInput } from '#contract/endpoint.ts';

import { callUrl } from './call.ts';
import { logFailure } from './log.ts';
import { fetchInTime } from './request.ts';
import { saveBlob } from './save-blob.ts';
import { storedToken } from './session.ts';

type Result = { readonly isSaved: boolean; readonly error: ApiErrorBody | null };

/**
 * The session token is in a header, so that no URL contains it. Never throws; ends after 15 s
 * without progress.
 */
export async function saveFile<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E>,
  fileName: string,
): Promise<Result> {
  try {
    const response = await fetchInTime(callUrl(endpoint, input), {
      method: endpoint.method,
      headers: {
        authorization: storedToken() ?? '',
        ...(input.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: input.body === undefined ? null : JSON.stringify(input.body),
      cache: 'no-store',
    });
    const blob = new Blob([await response.blob()], { type: endpoint.replyType ?? '' });
    if (!response.ok) {
      const json: unknown = JSON.parse(await blob.text());
      return { isSaved: false, error: apiErrorSchema.safeParse(json).data ?? null };
    }
    saveBlob(blob, fileName);
    return { isSaved: true, error: null };
  } catch (cause) {
    logFailure('The download failed', cause);
    return { isSaved: false, error: null };
  }
}
