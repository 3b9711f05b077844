import { useRef, useState } from 'react';

import { IMAGE_NOT_COMPRESSIBLE } from '#domain/photo.ts';
import { logFailure } from '#web/http/log.ts';
import { showAlert } from '#web/ui/alert.ts';

import { compress, cutOut } from './compress.ts';
import type { Square } from './crop.ts';
import { uploadPhoto } from './upload.ts';
import type { Outcome } from './upload.ts';

export interface Sent {
  readonly image: Blob;
  readonly outcome: Exclude<Outcome, { kind: 'lost' }>;
}

const LOST_NOTE = 'The photo did not get through. Check your connection, then save again.';
const UNMADE_NOTE = 'This browser could not cut the photo out. Try another file.';

type State =
  | { readonly kind: 'resting'; readonly note: string }
  | { readonly kind: 'sending'; readonly share: number };

/** Cutting out, compressing and sending, one at a time; what was chosen stays until it is through. */
export function useSending(onSent: (sent: Sent) => void) {
  const [state, setState] = useState<State>({ kind: 'resting', note: '' });
  const underWay = useRef<AbortController | null>(null);
  const rest = (note = '') => setState({ kind: 'resting', note });
  const onProgress = (share: number) => setState({ kind: 'sending', share });

  const attempt = async (picture: HTMLImageElement, square: Square, signal: AbortSignal) => {
    const image = await compress(await cutOut(picture, square));
    if (signal.aborted) return;
    if (image === null) {
      rest();
      showAlert(IMAGE_NOT_COMPRESSIBLE);
      return;
    }
    const outcome = await uploadPhoto({ image, onProgress, signal });
    if (signal.aborted) return;
    if (outcome.kind === 'lost') rest(LOST_NOTE);
    else onSent({ image, outcome });
  };

  const send = async (picture: HTMLImageElement, square: Square) => {
    if (underWay.current) return;
    const controller = new AbortController();
    underWay.current = controller;
    setState({ kind: 'sending', share: 0 });
    try {
      await attempt(picture, square, controller.signal);
    } catch (cause) {
      logFailure('The photo could not be made', cause);
      rest(UNMADE_NOTE);
    } finally {
      underWay.current = null;
    }
  };

  return { state, send, stop: () => underWay.current?.abort() };
}
