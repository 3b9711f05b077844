import { useState } from 'react';
import { useMutation } from '@tanstack/react-query';

import {
  LOOK_CHOSEN_HEADER,
  removeLogo,
  updateAppearance,
  uploadLogo,
} from '#contract/appearance.ts';
import type { AppearanceReply } from '#contract/appearance.ts';
import type { Appearance } from '#domain/appearance.ts';
import { LOGO_BOX_PX } from '#domain/logo.ts';
import { call, send } from '#web/shared/http/call.ts';
import type { Answer } from '#web/shared/http/call.ts';
import { queryClient, saveWithRetry } from '#web/shared/http/query.ts';
import { fetchInTime } from '#web/shared/http/request.ts';
import { appearanceQuery, isAppearanceUnchosen } from '#web/shared/profile/card.ts';
import { alertSaveFailure } from '#web/shared/profile/profile.ts';
import { createContext, encodeCanvas } from '#web/shared/ui/canvas.ts';

const NOT_READABLE = "We can't read this file. Choose a JPG, PNG, WebP or SVG.";

interface Step {
  readonly save: () => Promise<void>;
  /** Null if the step cannot be undone. */
  readonly undo: (() => Promise<void>) | null;
  /** The appearance before the step, if the step is shown before it is saved. */
  readonly before?: Answer<AppearanceReply> | undefined;
}

function updateLoadedAppearance(
  change: Partial<AppearanceReply>,
  headers: Answer<unknown>['headers'] = {},
): void {
  queryClient.setQueryData(
    appearanceQuery().queryKey,
    (before) =>
      before && {
        body: { ...before.body, ...change },
        headers: { ...before.headers, ...headers },
      },
  );
}

const UNCHOSEN_LOOK = { palette: null, hue: null, swatch: null };

/** Saves the chosen values only. The others stay as another device may have changed them. */
const saveLook = (chosen: Partial<Appearance> | typeof UNCHOSEN_LOOK) =>
  saveWithRetry(appearanceQuery(), ({ palette, hue, swatch }, options) =>
    call(updateAppearance, { body: { palette, hue, swatch, ...chosen } }, options),
  );

/** Returns the values that a choice replaces, so that it can be undone. */
function valuesToRestore(before: Answer<AppearanceReply>, chosen: Partial<Appearance>) {
  if (isAppearanceUnchosen(before)) return UNCHOSEN_LOOK;
  const { palette, hue, swatch } = before.body;
  return { palette, swatch, ...('hue' in chosen && { hue }) };
}

async function saveLogo(picture: Blob | null): Promise<void> {
  if (picture === null) {
    const { headers } = await send(removeLogo, {}, { isSave: true });
    return updateLoadedAppearance({ logo: null }, headers);
  }
  const form = new FormData();
  form.append('image', picture, 'logo.png');
  const { body, headers } = await send(uploadLogo, {}, { form, isSave: true });
  return updateLoadedAppearance(body, headers);
}

/** Saves each choice at once. */
export function useChoices() {
  /** Undoes the choices made since the page was opened. The last element undoes the newest choice. */
  const [undoStack, setUndoStack] = useState<readonly (() => Promise<void>)[]>([]);
  const step = useMutation({
    scope: { id: 'appearance' },
    mutationFn: ({ save }: Step) => save(),
    // The owner may press 'Undo' before the save has ended.
    onMutate: ({ undo }) => {
      if (undo) setUndoStack((steps) => [...steps, undo]);
    },
    onError: async (error, { undo, before }) => {
      setUndoStack((steps) => steps.filter((one) => one !== undo));
      // The previous choices return at once, because loading the newest version may fail too.
      if (before) queryClient.setQueryData(appearanceQuery().queryKey, before);
      alertSaveFailure(error);
      await queryClient.invalidateQueries(appearanceQuery());
    },
  });
  const failure = step.isError ? step.error.message : '';

  return {
    message: step.isSuccess ? 'Saved' : failure,
    isSaving: step.isPending,
    canUndo: undoStack.length > 0,
    choose: (look: Partial<Appearance>) => {
      const chosen = { swatch: null, ...look };
      const before = queryClient.getQueryData(appearanceQuery().queryKey);
      updateLoadedAppearance(chosen, { [LOOK_CHOSEN_HEADER]: 'true' });
      step.mutate({
        save: () => saveLook(chosen),
        undo: before ? () => saveLook(valuesToRestore(before, chosen)) : null,
        before,
      });
    },
    addLogo: (file: File) =>
      step.mutate({
        save: async () => saveLogo(await drawLogo(file)),
        undo: () => saveLogo(null),
      }),
    removeLogo: async (logo: string) => {
      const reading = fetchInTime(logo).then((response) => (response.ok ? response.blob() : null));
      // The removal of a logo that cannot be read cannot be undone.
      const picture = await reading.catch(() => null);
      step.mutate({ save: () => saveLogo(null), undo: picture && (() => saveLogo(picture)) });
    },
    undo: () => {
      const last = undoStack.at(-1);
      if (!last) return;
      setUndoStack(undoStack.slice(0, -1));
      step.mutate({ save: last, undo: null });
    },
  };
}

/** The logo is drawn at twice the size at which the server stores it, and the server scales it down. */
const LOGO_SCALE = 2;

/**
 * Returns the picture of a file as a PNG that fits twice the size of the logo's box. The server accepts no SVG,
 * and a PNG of this size is never too large. Rejects if this browser cannot read the file.
 */
async function drawLogo(file: Blob): Promise<Blob> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    // Some browsers report a size of 0 for an SVG that states none.
    const width = image.naturalWidth || LOGO_BOX_PX.height;
    const height = image.naturalHeight || LOGO_BOX_PX.height;
    const scale = LOGO_SCALE * Math.min(LOGO_BOX_PX.width / width, LOGO_BOX_PX.height / height);
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
