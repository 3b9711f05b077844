import { hueOf, isGrey, ownPalette } from './own-palette.ts';
import { PALETTES, idPalette, quietPalette } from './palette.ts';
import type { Palette } from './palette.ts';

/** From the photo, or by the id without one; by the id; one tone; of a hue. */
export const LOOKS = ['photo', 'id', 'quiet', 'own'] as const;
export type Look = (typeof LOOKS)[number];

/** In degrees of OKLCH. */
export const HUE_MAX = 359;

export interface Appearance {
  readonly palette: Look;
  readonly hue: number | null;
}

export const DEFAULT_APPEARANCE: Appearance = { palette: 'photo', hue: null };

/** What a card shows whose owner has chosen nothing, and whose owner has added no logo. */
export interface Brand {
  readonly appearance: Appearance;
  readonly logo: string;
}

export function createBrand(colour: string | null, logo: string): Brand {
  if (colour === null) return { appearance: DEFAULT_APPEARANCE, logo };
  if (isGrey(colour)) return { appearance: { palette: 'quiet', hue: null }, logo };
  return { appearance: { palette: 'own', hue: hueOf(colour) }, logo };
}

/** In place of a palette's number: the photo is grey, and the palette is that of the id. */
export const NO_HUE = -1;

interface CardColours extends Appearance {
  /** The number of the palette, or NO_HUE; null without a photo, and while it is not known. */
  readonly photoPalette: number | null;
}

export function cardPalette(userId: string, colours: CardColours): Palette {
  const { palette, hue, photoPalette } = colours;
  const byId = idPalette(userId);
  if (palette === 'id') return byId;
  if (palette === 'own' && hue !== null) return ownPalette(hue);
  const byPhoto = PALETTES[photoPalette ?? NO_HUE] ?? byId;
  return palette === 'quiet' ? quietPalette(byPhoto) : byPhoto;
}
