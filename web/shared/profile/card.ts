import { useQuery } from '@tanstack/react-query';
import { useInsertionEffect } from 'react';

import { LOOK_CHOSEN_HEADER, getAppearance } from '#contract/appearance.ts';
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

/** Returns the link with the card's id. It never changes, so it can be printed. */
export const cardLink = (userId: string): string => cardOrigin() + cardPath(userId);

export const addressQuery = () => ownerQuery(getCardAddress, { kept: 'address' });

/** Returns the link with the card's address, if its owner has chosen one. */
export function useCardLink(userId: string): string {
  const name = useQuery(addressQuery()).data?.body.name;
  return name ? cardOrigin() + cardAddressPath(name) : cardLink(userId);
}

/** Returns the palette and the logo of the owner's card, and colours the cards and charts of the page with its accent. */
export function useCardLook({ _id }: Pick<Profile, '_id'>) {
  const appearance = useAppearance() ?? unchosenAppearance();
  const palette = cardPalette(_id, appearance);
  useCardAccent(palette);
  return { palette, logo: appearance.logo ?? brandLogo() };
}

/**
 * Sets the accent with a rule, because a style attribute supports only one colour scheme. The rule goes into
 * the page's own style sheet, because the Content-Security-Policy permits no other.
 */
function useCardAccent(palette: Palette): void {
  const style = accentStyle(palette, '.business-card,.owner-card,.analytics .panel');
  useInsertionEffect(() => {
    const [sheet] = document.styleSheets;
    if (!sheet) return undefined;
    const rule = sheet.cssRules[sheet.insertRule(`@media all{${style}}`, sheet.cssRules.length)];
    return () => sheet.deleteRule(Array.from(sheet.cssRules).findIndex((one) => one === rule));
  }, [style]);
}

export interface OwnAppearance extends AppearanceReply {
  /** The number of the photo's palette, or null if there is none or it is not known. */
  readonly photoPalette: number | null;
}

const brandAppearance = () => settings().brand?.appearance ?? DEFAULT_APPEARANCE;
export const brandLogo = () => settings().brand?.logo ?? '';

/** Returns the appearance of a card whose owner has not chosen one. */
export const unchosenAppearance = (): OwnAppearance => ({
  ...brandAppearance(),
  logo: null,
  photoPalette: null,
});

export const appearanceQuery = () => ownerQuery(getAppearance, { kept: 'look' });

/** Returns null while the appearance loads. If it cannot be loaded, returns the unchosen appearance. */
export function useAppearance(): OwnAppearance | null {
  const { data, isFetched } = useQuery({ ...appearanceQuery(), select: toAppearance });
  return data ?? (isFetched ? unchosenAppearance() : null);
}

export const isAppearanceUnchosen = ({ headers }: Pick<Answer<unknown>, 'headers'>): boolean =>
  headers[LOOK_CHOSEN_HEADER] === 'false';

function toAppearance({ body, headers }: Answer<AppearanceReply>): OwnAppearance {
  const palette = headers[PHOTO_PALETTE_HEADER];
  return {
    ...body,
    ...(isAppearanceUnchosen({ headers }) && brandAppearance()),
    photoPalette: palette === undefined ? null : Number(palette),
  };
}

/** Takes the photo's palette from the reply to an upload or a removal. */
export function setPhotoPalette(headers: Readonly<Record<string, string>>): void {
  const palette = headers[PHOTO_PALETTE_HEADER];
  queryClient.setQueryData(appearanceQuery().queryKey, (loaded) => {
    if (!loaded) return undefined;
    const { [PHOTO_PALETTE_HEADER]: _, ...others } = loaded.headers;
    const next = palette === undefined ? others : { ...others, [PHOTO_PALETTE_HEADER]: palette };
    return { ...loaded, headers: next };
  });
}
