import { useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { removeLogo, updateAppearance, uploadLogo } from '#contract/appearance.ts';
import type { AppearanceReply } from '#contract/appearance.ts';
import type { Appearance } from '#domain/appearance.ts';
import { LOGO_BOX_PX } from '#domain/logo.ts';
import { call, send } from '#web/shared/http/call.ts';
import type { Answer } from '#web/shared/http/call.ts';
import { queryClient, saveOver } from '#web/shared/http/query.ts';
import { fetchInTime } from '#web/shared/http/request.ts';
import { appearanceQuery } from '#web/shared/profile/card.ts';
import { alertSaveFailure } from '#web/shared/profile/profile.ts';
import { createContext, encodeCanvas } from '#web/shared/ui/canvas.ts';

const NOT_READABLE = 'This file cannot be read. Choose a JPG, PNG, WebP or SVG.';

interface Step {
  readonly save: () => Promise<void>;
  /** Null if it cannot be undone. */
  readonly undo: (() => Promise<void>) | null;
}

function show(change: Partial<AppearanceReply>, headers: Answer<unknown>['headers'] = {}): void {
  queryClient.setQueryData(
    appearanceQuery().queryKey,
    (before) =>
      before && {
        body: { ...before.body, ...change },
        headers: { ...before.headers, ...headers },
      },
  );
}

const saveLook = ({ palette, hue }: Appearance) =>
  saveOver(appearanceQuery(), (_, options) =>
    call(updateAppearance, { body: { palette, hue } }, options),
  );

async function saveLogo(picture: Blob | null): Promise<void> {
  if (picture === null) {
    const { headers } = await send(removeLogo, {}, { isSave: true });
    return show({ logo: null }, headers);
  }
  const form = new FormData();
  form.append('image', picture, 'logo.png');
  const { body, headers } = await send(uploadLogo, {}, { form, isSave: true });
  return show(body, headers);
}

/** Each choice is stored at once. */
export function useChoices() {
  /** What undoes each choice since the page was opened. */
  const [history, setHistory] = useState<readonly (() => Promise<void>)[]>([]);
  const step = useMutation({
    scope: { id: 'appearance' },
    mutationFn: ({ save }: Step) => save(),
    // Not after the save: 'Undo' may be pressed before.
    onMutate: ({ undo }) => {
      if (undo) setHistory((steps) => [...steps, undo]);
    },
    onError: async (error, { undo }) => {
      setHistory((steps) => steps.filter((one) => one !== undo));
      alertSaveFailure(error);
      await queryClient.invalidateQueries(appearanceQuery());
    },
  });
  const failure = step.isError ? step.error.message : '';

  return {
    message: step.isSuccess ? 'Saved' : failure,
    canUndo: history.length > 0,
    choose: (next: Appearance) => {
      const previous = queryClient.getQueryData(appearanceQuery().queryKey)?.body;
      show(next);
      step.mutate({ save: () => saveLook(next), undo: previous ? () => saveLook(previous) : null });
    },
    addLogo: (file: File) =>
      step.mutate({
        save: async () => saveLogo(await drawLogo(file)),
        undo: () => saveLogo(null),
      }),
    removeLogo: async (logo: string) => {
      const picture = await readLogo(logo);
      step.mutate({ save: () => saveLogo(null), undo: picture && (() => saveLogo(picture)) });
    },
    undo: () => {
      const last = history.at(-1);
      if (!last) return;
      setHistory(history.slice(0, -1));
      step.mutate({ save: last, undo: null });
    },
  };
}

/** Null if it cannot be read: its removal cannot be undone then. */
async function readLogo(logo: string): Promise<Blob | null> {
  try {
    const response = await fetchInTime(logo);
    return response.ok ? await response.blob() : null;
  } catch {
    return null;
  }
}

/** Drawn larger than the server stores it, which makes it smaller. */
const SCALE = 2;

/**
 * Returns the picture of a file as a PNG that fits the box of a logo. The server takes no SVG, and a
 * PNG of this size is never too large. Rejects for a file that this browser cannot read.
 */
async function drawLogo(file: Blob): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    // An SVG without a size of its own has none in some browsers.
    const width = image.naturalWidth || LOGO_BOX_PX.height;
    const height = image.naturalHeight || LOGO_BOX_PX.height;
    const scale = SCALE * Math.min(LOGO_BOX_PX.width / width, LOGO_BOX_PX.height / height);
    const pixels = (side: number) => Math.max(1, Math.round(side * scale));
    const context = createContext(pixels(width), pixels(height));
    context.drawImage(image, 0, 0, context.canvas.width, context.canvas.height);
    return await encodeCanvas(context, 'image/png');
  } catch (cause) {
    throw new Error(NOT_READABLE, { cause });
  } finally {
    URL.revokeObjectURL(image.src);
  }
}
