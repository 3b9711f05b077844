import { useQuery } from '@tanstack/react-query';

import { getAppearance } from '#contract/appearance.ts';
import type { AppearanceReply } from '#contract/appearance.ts';
import { PHOTO_PALETTE_HEADER } from '#contract/user.ts';
import { DEFAULT_APPEARANCE } from '#domain/appearance.ts';
import { send } from '#web/shared/http/call.ts';
import type { Answer } from '#web/shared/http/call.ts';
import { settings } from '#web/shared/http/settings.ts';
import { ownerQuery, queryClient } from '#web/shared/http/query.ts';

/** How the owner's card looks. */
export interface OwnAppearance extends AppearanceReply {
  /** The number of the palette of the photo; null if there is none, or it is not known. */
  readonly photoPalette: number | null;
}

const brandAppearance = () => settings().brand?.appearance ?? DEFAULT_APPEARANCE;
export const brandLogo = () => settings().brand?.logo ?? '';

export const nothingChosen = (): OwnAppearance => ({
  ...brandAppearance(),
  logo: null,
  photoPalette: null,
});

/** The ETag of an owner who has stored nothing. */
const NOTHING_STORED = '"0"';

export const appearanceQuery = () =>
  ownerQuery(getAppearance, (params) => send(getAppearance, { params }), { isKept: true });

/** Null while it loads; if it does not load, what nobody has chosen. */
export function useAppearance(): OwnAppearance | null {
  const { data, isError } = useQuery({ ...appearanceQuery(), select: toAppearance });
  return data ?? (isError ? nothingChosen() : null);
}

function toAppearance({ body, headers }: Answer<AppearanceReply>): OwnAppearance {
  const palette = headers[PHOTO_PALETTE_HEADER];
  // A choice that is being saved is in the body before the ETag changes.
  const isNothing =
    headers['ETag'] === NOTHING_STORED && body.palette === DEFAULT_APPEARANCE.palette;
  return {
    ...body,
    ...(isNothing && brandAppearance()),
    photoPalette: palette === undefined ? null : Number(palette),
  };
}

/** After an upload or a removal. */
export function setPhotoPalette(headers: Readonly<Record<string, string>>): void {
  const palette = headers[PHOTO_PALETTE_HEADER];
  queryClient.setQueryData(appearanceQuery().queryKey, (loaded) => {
    if (!loaded) return undefined;
    const { [PHOTO_PALETTE_HEADER]: _, ...others } = loaded.headers;
    const next = palette === undefined ? others : { ...others, [PHOTO_PALETTE_HEADER]: palette };
    return { ...loaded, headers: next };
  });
}
