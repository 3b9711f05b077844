import { useQuery } from '@tanstack/react-query';
import { useInsertionEffect } from 'react';

import { getAppearance } from '#contract/appearance.ts';
import type { AppearanceReply } from '#contract/appearance.ts';
import { getCardAddress } from '#contract/card-address.ts';
import { PHOTO_PALETTE_HEADER } from '#contract/user.ts';
import { DEFAULT_APPEARANCE, cardPalette } from '#domain/appearance.ts';
import { cardAddressPath } from '#domain/card-address.ts';
import type { Palette } from '#domain/palette.ts';
import type { Profile } from '#domain/profile.ts';
import { cardPath } from '#domain/share.ts';
import { accentStyle } from '#view/accent.ts';
import type { Answer } from '#web/shared/http/call.ts';
import { ownerQuery, queryClient } from '#web/shared/http/query.ts';
import { settings } from '#web/shared/http/settings.ts';

export const cardOrigin = () => settings().publicUrl || location.origin;

/** Never changes, for what is printed. */
export const cardLink = (userId: string): string => cardOrigin() + cardPath(userId);

export const addressQuery = () => ownerQuery(getCardAddress, { isKept: true });

/** Returns the link with the card's address, if its owner has chosen one. */
export function useCardLink(userId: string): string {
  const name = useQuery(addressQuery()).data?.body.name;
  return name ? cardOrigin() + cardAddressPath(name) : cardLink(userId);
}

/** Returns the palette and the logo of the owner's card, and gives the cards of the page the accent. */
export function useCardLook({ _id }: Pick<Profile, '_id'>) {
  const appearance = useAppearance() ?? nothingChosen();
  const palette = cardPalette(_id, appearance);
  useCardAccent(palette);
  return { palette, logo: appearance.logo ?? brandLogo() };
}

/**
 * With a rule, because a style attribute has one colour scheme only; in the page's own sheet, because
 * its Content-Security-Policy permits no other.
 */
function useCardAccent(palette: Palette): void {
  const style = accentStyle(palette, '.business-card,.owner-card');
  useInsertionEffect(() => {
    const [sheet] = document.styleSheets;
    if (!sheet) return undefined;
    const rule = sheet.cssRules[sheet.insertRule(`@media all{${style}}`, sheet.cssRules.length)];
    return () => sheet.deleteRule(Array.from(sheet.cssRules).findIndex((one) => one === rule));
  }, [style]);
}

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

export const appearanceQuery = () => ownerQuery(getAppearance, { isKept: true });

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
