import { useEffect, useState } from 'react';

import { apiErrorSchema } from '#contract/api-error.ts';
import type { ApiErrorBody } from '#contract/api-error.ts';
import { uploadProfileImage } from '#contract/user.ts';
import { callUrl, OK_STATUS, replyHeaders } from '#web/shared/http/call.ts';
import { logFailure } from '#web/shared/http/report.ts';
import { createProgressTimeout, parseJson } from '#web/shared/http/request.ts';
import { checkSession } from '#web/shared/http/session-end.ts';
import { storedId, storedToken } from '#web/shared/http/storage.ts';

const UPLOAD_ERROR = 'The photo did not get through. Check your network, then save again.';

/** An upload whose request was completed. */
export interface CompletedUpload {
  readonly image: Blob;
  readonly status: number;
  /** Null without a valid reply (docs/product.md#photo). */
  readonly profilePhoto: string | null;
  readonly headers: Readonly<Record<string, string>>;
  readonly error: ApiErrorBody | null;
}

/** Rejects with a sentence, also after 15 s without progress. `fetch` reports no upload progress. */
export function uploadPhoto(
  image: Blob,
  /** From 0 to 1. */
  onProgress?: (fraction: number) => void,
  signal?: AbortSignal,
): Promise<CompletedUpload> {
  const form = new FormData();
  form.append('image', image, 'image.jpg');
  form.append('_id', storedId() ?? '');
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(uploadProfileImage.method, callUrl(uploadProfileImage));
    request.setRequestHeader('authorization', storedToken() ?? '');
    const timeout = createProgressTimeout(() => request.abort());
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      timeout.restart();
      if (total > 0) onProgress?.(loaded / total);
    });
    request.addEventListener('progress', timeout.restart);
    request.addEventListener('loadend', timeout.clear);
    request.addEventListener('load', () => resolve(readReply(image, request)));
    for (const type of ['error', 'abort'] as const) {
      request.addEventListener(type, () => {
        logFailure('The photo did not get through', type);
        reject(new Error(UPLOAD_ERROR));
      });
    }
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

/** Never settles after the end of the session. */
async function readReply(image: Blob, request: XMLHttpRequest): Promise<CompletedUpload> {
  const { status, responseText } = request;
  const json = parseJson(responseText);
  const reply = status === OK_STATUS ? uploadProfileImage.reply.safeParse(json).data : undefined;
  if (status !== OK_STATUS) logFailure(`The photo was answered with ${status}`, responseText);
  const error = apiErrorSchema.safeParse(json).data ?? null;
  await checkSession(error, true);
  const headers = replyHeaders(uploadProfileImage, (name) => request.getResponseHeader(name));
  return { image, status, profilePhoto: reply?.profilePhoto ?? null, headers, error };
}

/** The URL is revoked when the blob changes and on unmount. */
export function useObjectUrl() {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);
  const setBlob = (blob: Blob | null) => setUrl(blob && URL.createObjectURL(blob));
  return [url, setBlob] as const;
}
