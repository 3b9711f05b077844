import { useRef, useState } from 'react';

import { IMAGE_NOT_COMPRESSIBLE } from '#domain/photo.ts';
import { logFailure } from '#web/http/log.ts';
import { showAlert } from '#web/ui/alert.ts';

import { compress } from './compress.ts';
import type { Square } from './crop.ts';
import { uploadPhoto } from './upload.ts';
import type { Outcome } from './upload.ts';

/** Its request was completed. */
export interface CompletedUpload {
  readonly image: Blob;
  readonly outcome: Exclude<Outcome, { kind: 'failed' }>;
}

const UPLOAD_ERROR = 'The photo did not get through. Check your connection, then save again.';
const CROP_ERROR = 'This browser could not cut the photo out. Try another file.';

export type UploadState =
  | { readonly kind: 'idle'; readonly error: string }
  | { readonly kind: 'uploading'; readonly fraction: number };

/** One at a time. A failed upload can be repeated. */
export function useUpload(onCompleted: (upload: CompletedUpload) => void) {
  const [state, setState] = useState<UploadState>({ kind: 'idle', error: '' });
  const inFlight = useRef<AbortController | null>(null);
  const setIdle = (error = '') => setState({ kind: 'idle', error });
  const onProgress = (fraction: number) => setState({ kind: 'uploading', fraction });

  const cropAndUpload = async (picture: HTMLImageElement, square: Square, signal: AbortSignal) => {
    const image = await compress(picture, square);
    if (signal.aborted) return;
    if (image === null) {
      setIdle();
      showAlert(IMAGE_NOT_COMPRESSIBLE);
      return;
    }
    const outcome = await uploadPhoto({ image, onProgress, signal });
    if (signal.aborted) return;
    if (outcome.kind === 'failed') setIdle(UPLOAD_ERROR);
    else onCompleted({ image, outcome });
  };

  const upload = async (picture: HTMLImageElement, square: Square) => {
    if (inFlight.current) return;
    const controller = new AbortController();
    inFlight.current = controller;
    setState({ kind: 'uploading', fraction: 0 });
    try {
      await cropAndUpload(picture, square, controller.signal);
    } catch (cause) {
      logFailure('The photo could not be made', cause);
      setIdle(CROP_ERROR);
    } finally {
      inFlight.current = null;
    }
  };

  return { state, upload, abort: () => inFlight.current?.abort() };
}
