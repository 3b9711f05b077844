import { useEffect, useMemo } from 'react';

import { uploadProfileImage } from '#contract/user.ts';
import type { Reply } from '#contract/endpoint.ts';
import { call } from '#web/shared/http/call.ts';
import type { CallResult } from '#web/shared/http/call.ts';
import { createProgressTimeout } from '#web/shared/http/request.ts';
import { storedSession } from '#web/shared/http/storage.ts';

const UPLOAD_ERROR = "Your photo didn't get through. Check your network, then save again.";

/** An upload that got an answer, whatever it is. */
export interface CompletedUpload extends CallResult<Reply<typeof uploadProfileImage>> {
  readonly image: Blob;
}

/** Uploads a photo. Rejects with a sentence for the user if there is no answer. */
export async function uploadPhoto(
  image: Blob,
  /** Called with the progress from 0 to 1. */
  onProgress?: (fraction: number) => void,
  signal?: AbortSignal,
): Promise<CompletedUpload> {
  const session = storedSession();
  const form = new FormData();
  form.append('image', image, 'image.jpg');
  form.append('_id', session?.id ?? '');
  const transport = (url: string, init: RequestInit) =>
    fetchWithProgress(url, { ...init, signal: signal ?? null }, onProgress);
  const options = { session, form, isSave: true, transport };
  const result = await call(uploadProfileImage, {}, options);
  if (result.isUnanswered) throw new Error(UPLOAD_ERROR);
  return { ...result, image };
}

/** Sends with XMLHttpRequest, because `fetch` reports no upload progress. Rejects after 15 s without progress. */
function fetchWithProgress(
  url: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  onProgress?: (fraction: number) => void,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, url);
    new Headers(headers).forEach((value, name) => request.setRequestHeader(name, value));
    const timeout = createProgressTimeout(() => request.abort());
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      timeout.restart();
      if (total > 0) onProgress?.(loaded / total);
    });
    request.addEventListener('progress', timeout.restart);
    request.addEventListener('loadend', timeout.clear);
    request.addEventListener('load', () => resolve(responseOf(request)));
    for (const type of ['error', 'abort'] as const) request.addEventListener(type, reject);
    signal?.addEventListener('abort', () => request.abort());
    request.send(body as FormData);
  });
}

function responseOf(request: XMLHttpRequest): Response {
  const headers = request.getAllResponseHeaders().matchAll(/^(.+?): (.*)$/gm);
  return new Response(request.responseText || null, {
    status: request.status,
    headers: Array.from(headers, ([, name = '', value = '']): [string, string] => [name, value]),
  });
}

/** Returns the object URL of a blob. Revokes the URL on a change and on unmount. */
export function useObjectUrl(blob: Blob | null): string | null {
  const url = useMemo(() => blob && URL.createObjectURL(blob), [blob]);
  useEffect(() => () => URL.revokeObjectURL(url ?? ''), [url]);
  return url;
}
