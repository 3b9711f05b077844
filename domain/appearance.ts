import { hueOf, isGrey, ownPalette } from './own-palette.ts';
import { PALETTES, idPalette, quietPalette } from './palette.ts';
import type { Palette } from './palette.ts';

/**
 * 'photo' takes the palette from the photo, or from the id if there is none. 'id' takes the chosen swatch, or the
 * palette of the id, 'quiet' is a single tone, and 'own' is made of a hue.
 */
export const PALETTE_CHOICES = ['photo', 'id', 'quiet', 'own'] as const;
export type PaletteChoice = (typeof PALETTE_CHOICES)[number];

/** A hue is an angle of OKLCH, in degrees. */
export const HUE_MAX = 359;

export interface Appearance {
  readonly palette: PaletteChoice;
  readonly hue: number | null;
  /** The number of a palette, which goes with 'id'. A node of the version before ignores it. */
  readonly swatch: number | null;
}

export const DEFAULT_APPEARANCE: Appearance = { palette: 'photo', hue: null, swatch: null };

/** The operator's look for cards whose owner has chosen no palette or added no logo. */
export interface Brand {
  readonly appearance: Appearance;
  readonly logo: string;
}

export function createBrand(colour: string | null, logo: string): Brand {
  if (colour === null) return { appearance: DEFAULT_APPEARANCE, logo };
  if (isGrey(colour)) return { appearance: { ...DEFAULT_APPEARANCE, palette: 'quiet' }, logo };
  return { appearance: { ...DEFAULT_APPEARANCE, palette: 'own', hue: hueOf(colour) }, logo };
}

/** Stored instead of a palette's number if the photo is grey. The card then takes the palette of its id. */
export const GREY_PHOTO = -1;

interface CardColours extends Appearance {
  /** The number of a palette or GREY_PHOTO, or null if there is no photo or its palette is not known yet. */
  readonly photoPalette: number | null;
}

export function cardPalette(userId: string, colours: CardColours): Palette {
  const { palette, hue, swatch, photoPalette } = colours;
  const byId = idPalette(userId);
  if (palette === 'id') return PALETTES[swatch ?? GREY_PHOTO] ?? byId;
  if (palette === 'own' && hue !== null) return ownPalette(hue);
  const byPhoto = PALETTES[photoPalette ?? GREY_PHOTO] ?? byId;
  return palette === 'quiet' ? quietPalette(byPhoto) : byPhoto;
}
