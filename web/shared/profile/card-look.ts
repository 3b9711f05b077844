import { useInsertionEffect } from 'react';

import { cardPalette } from '#domain/appearance.ts';
import type { Palette } from '#domain/palette.ts';
import type { Profile } from '#domain/profile.ts';
import { accentStyle } from '#view/accent.ts';

import { brandLogo, nothingChosen, useAppearance } from './appearance.ts';

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
