import { uploadProfileImage } from '#contract/user.ts';
import { OK_STATUS, callUrl, replyHeaders } from '#web/http/call.ts';
import { logFailure } from '#web/http/log.ts';
import { createProgressTimeout, parseJson } from '#web/http/request.ts';
import { storedId, storedToken } from '#web/http/session.ts';

/** 'unconfirmed': completed without a valid reply (docs/product.md#photo). */
export type Outcome =
  | {
      readonly kind: 'stored';
      readonly profilePhoto: string;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'unconfirmed'; readonly status: number }
  | { readonly kind: 'failed' };

export interface Upload {
  readonly image: Blob;
  /** From 0 to 1. */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** Fails after 15 s without progress. `fetch` reports no upload progress. */
export function uploadPhoto({ image, onProgress, signal }: Upload): Promise<Outcome> {
  const form = new FormData();
  form.append('image', image, 'image.jpg');
  form.append('_id', storedId() ?? '');
  return new Promise((resolve) => {
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
    request.addEventListener('load', () => resolve(readOutcome(request)));
    for (const type of ['error', 'abort'] as const) {
      request.addEventListener(type, () => {
        logFailure('The photo did not get through', type);
        resolve({ kind: 'failed' });
      });
    }
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function readOutcome(request: XMLHttpRequest): Outcome {
  const { status, responseText } = request;
  if (status === OK_STATUS) {
    const reply = uploadProfileImage.reply.safeParse(parseJson(responseText));
    if (reply.success) {
      const headers = replyHeaders(uploadProfileImage, (name) => request.getResponseHeader(name));
      return { kind: 'stored', profilePhoto: reply.data.profilePhoto, headers };
    }
  } else logFailure(`The photo was answered with ${status}`, responseText);
  return { kind: 'unconfirmed', status };
}
