import { useMutation } from '@tanstack/react-query';

import { apiErrorSchema } from '#contract/api-error.ts';
import type { ApiErrorBody } from '#contract/api-error.ts';
import type { Endpoint, RequestInput } from '#contract/endpoint.ts';
import { MINUTE_MS } from '#domain/duration.ts';

import { CallError, callUrl, requestOptions } from './call.ts';
import { logFailure } from './report.ts';
import { SERVER_ERROR_STATUS, fetchInTime } from './request.ts';
import { checkSession } from './session-end.ts';

/** Some browsers read the blob only some time after the click. */
const REVOKE_AFTER_MS = MINUTE_MS;

/** One file at a time. */
export function useDownload() {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: (save: () => Promise<void>) => save(),
  });
  const outcome = isSuccess ? 'Your file is saved.' : (error?.message ?? '');
  return {
    isBusy: isPending,
    message: isPending ? 'Your file is being prepared.' : outcome,
    download: <E extends Endpoint>(...file: Parameters<typeof saveFile<E>>) => {
      if (!isPending) mutate(() => saveFile(...file));
    },
  };
}

/** No URL contains the session token. Rejects with a CallError; ends after 15 s without progress. */
export async function saveFile<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E>,
  fileName: string,
): Promise<void> {
  let error: ApiErrorBody | null = null;
  try {
    const response = await fetchInTime(callUrl(endpoint, input), requestOptions(endpoint, input));
    const blob = new Blob([await response.blob()], { type: endpoint.replyType ?? '' });
    if (response.ok) return saveBlob(blob, fileName);
    error = apiErrorSchema.safeParse(JSON.parse(await blob.text())).data ?? null;
    await checkSession(error);
  } catch (cause) {
    logFailure('The download failed', cause);
  }
  throw new CallError({ status: SERVER_ERROR_STATUS, error });
}

export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
