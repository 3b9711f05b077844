import { useRef, useState } from 'react';

import {
  removeLogo as removeLogoCall,
  updateAppearance,
  uploadLogo,
} from '#contract/appearance.ts';
import { API_ERRORS } from '#contract/api-error.ts';
import type { Appearance } from '#domain/appearance.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { FORBIDDEN_STATUS, OK_STATUS, call } from '#web/shared/http/call.ts';
import type { CallResult } from '#web/shared/http/call.ts';
import { logFailure } from '#web/shared/http/log.ts';
import { fetchInTime } from '#web/shared/http/request.ts';
import {
  currentAppearance,
  fetchAppearance,
  setAppearance,
} from '#web/shared/profile/appearance.ts';
import { alertSaveFailure } from '#web/shared/profile/save-profile.ts';
import { endSession } from '#web/shared/profile/session-end.ts';
import { versionTag } from '#web/shared/profile/version-tag.ts';

import { drawLogo } from './logo-file.ts';

const SAVED = 'Saved';
const NOT_SAVED = 'Not saved. Check your connection, then choose again.';
const CHANGED_ELSEWHERE = 'Changed on another device meanwhile. This is the newest.';
const NOT_READABLE = 'This file cannot be read. Choose a JPG, PNG, WebP or SVG.';

/** Returns whether it is stored. */
type Step = () => Promise<boolean>;

type Stored = Partial<Appearance> & { readonly logo?: string | null };

/** Returns the calls; each waits for the one before it. */
function useSaves(userId: string) {
  const [message, setMessage] = useState('');
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const params = { id: userId };

  const received = async (
    { status, headers }: Pick<CallResult<Endpoint>, 'status' | 'headers'>,
    stored: Stored,
  ) => {
    if (status === OK_STATUS) {
      setAppearance({ ...currentAppearance(), ...stored, etag: versionTag(headers) });
      setMessage(SAVED);
      return true;
    }
    alertSaveFailure(status);
    if (status === FORBIDDEN_STATUS) void endSession();
    else await fetchAppearance();
    setMessage(status === API_ERRORS.precondition_failed ? CHANGED_ELSEWHERE : NOT_SAVED);
    return false;
  };
  return {
    message,
    setMessage,
    run: (step: Step): Promise<boolean> => {
      setMessage('');
      const done = last.current.then(step);
      last.current = done.catch(() => undefined);
      return done;
    },
    saveLook: async ({ palette, hue }: Appearance) => {
      const options = { ifMatch: currentAppearance().etag, isSave: true };
      const result = await call(updateAppearance, { params, body: { palette, hue } }, options);
      return received(result, result.body ?? {});
    },
    saveLogo: async (picture: Blob | null) => {
      if (picture === null) {
        const result = await call(removeLogoCall, { params }, { isSave: true });
        return received(result, { logo: null });
      }
      const form = new FormData();
      form.append('image', picture, 'logo.png');
      const result = await call(uploadLogo, { params }, { form, isSave: true });
      return received(result, { logo: result.body?.logo ?? null });
    },
  };
}

/** Each choice is stored at once. */
export function useChoices(userId: string) {
  const { message, setMessage, run, saveLook, saveLogo } = useSaves(userId);
  /** What undoes each choice since the page was opened. */
  const [history, setHistory] = useState<readonly Step[]>([]);
  const make = async (step: Step, undo: Step | null) => {
    if ((await run(step)) && undo) setHistory((steps) => [...steps, undo]);
  };

  return {
    message,
    canUndo: history.length > 0,
    choose: (next: Appearance) => {
      const previous = currentAppearance();
      setAppearance({ ...previous, ...next });
      void make(
        () => saveLook(next),
        () => saveLook(previous),
      );
    },
    addLogo: async (file: File) => {
      try {
        const picture = await drawLogo(file);
        await make(
          () => saveLogo(picture),
          () => saveLogo(null),
        );
      } catch (cause) {
        logFailure('The logo could not be read', cause);
        setMessage(NOT_READABLE);
      }
    },
    removeLogo: async () => {
      const picture = await readLogo(currentAppearance().logo);
      await make(() => saveLogo(null), picture && (() => saveLogo(picture)));
    },
    undo: () => {
      const step = history.at(-1);
      if (!step) return;
      setHistory(history.slice(0, -1));
      void make(step, null);
    },
  };
}

/** Null if it cannot be read: its removal cannot be undone then. */
async function readLogo(logo: string | null): Promise<Blob | null> {
  try {
    const response = await fetchInTime(logo ?? '');
    return response.ok ? await response.blob() : null;
  } catch {
    return null;
  }
}
