import { useMutation } from '@tanstack/react-query';

import type { Endpoint, RequestInput } from '#contract/endpoint.ts';
import { MINUTE_MS } from '#domain/duration.ts';

import { sendForFile } from './call.ts';

/** Some browsers read the blob a while after the click, so its URL must stay valid for this time. */
const REVOKE_AFTER_MS = MINUTE_MS;

/** Returns a function that downloads one file at a time, and the state of the download. */
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

/** Fetches a file and saves it, because a link to it would need the session token in its URL. */
export async function saveFile<E extends Endpoint>(
  endpoint: E,
  input: RequestInput<E>,
  fileName: string,
): Promise<void> {
  saveBlob(await sendForFile(endpoint, input), fileName);
}

export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_AFTER_MS);
}
