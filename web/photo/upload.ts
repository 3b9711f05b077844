import { uploadProfileImage } from '#contract/user.ts';
import { callAddress } from '#web/http/address.ts';
import { logFailure } from '#web/http/log.ts';
import { storedId, storedToken } from '#web/http/session.ts';

/**
 * 'done': the server has it, and where. 'answered': the request was completed, which counts as
 * success (specification, section 7), but the answer did not say so. 'lost': it did not get through.
 */
export type Outcome =
  | { readonly kind: 'done'; readonly profilePhoto: string }
  | { readonly kind: 'answered'; readonly status: number }
  | { readonly kind: 'lost' };

export interface Upload {
  readonly image: Blob;
  /** Called with how much has gone up, from 0 to 1. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Sends a photo (JPEG) as the owner's. `fetch` tells nothing of an upload under way, so this is an
 * XMLHttpRequest.
 */
export function uploadPhoto({ image, onProgress, signal }: Upload): Promise<Outcome> {
  const form = new FormData();
  form.append('image', image, 'image.jpg');
  form.append('_id', storedId() ?? '');
  return new Promise((resolve) => {
    const request = new XMLHttpRequest();
    request.open(uploadProfileImage.method, callAddress(uploadProfileImage));
    request.setRequestHeader('authorization', storedToken() ?? '');
    request.upload.addEventListener('progress', ({ loaded, total }) => {
      if (total > 0) onProgress?.(loaded / total);
    });
    request.addEventListener('load', () => resolve(readOutcome(request)));
    for (const end of ['error', 'abort', 'timeout'] as const) {
      request.addEventListener(end, () => {
        logFailure('The photo did not get through', end);
        resolve({ kind: 'lost' });
      });
    }
    signal?.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

function readOutcome({ status, responseText }: XMLHttpRequest): Outcome {
  if (status === 200) {
    const reply = uploadProfileImage.reply.safeParse(readJson(responseText));
    if (reply.success) return { kind: 'done', profilePhoto: reply.data.profilePhoto };
  } else logFailure(`The photo was answered with ${status}`, responseText);
  return { kind: 'answered', status };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
