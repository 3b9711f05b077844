import { convertLrgbToRgb, convertOklabToLrgb, convertRgbToOklab } from 'culori/fn';

import { CONTRAST_MIN, channelsOf, contrast, toColour } from './colour.ts';
import { TILE, createPalette } from './palette.ts';
import type { Palette, Scheme } from './palette.ts';

const FULL_TURN = 360;
/** The lightness and chroma (OKLCH) are about those of the other palettes. */
const TONES = {
  background: [0.36, 0.075],
  tone: [0.52, 0.1],
  halfTone: [0.75, 0.075],
  light: [0.93, 0.025],
  accent: [0.78, 0.12],
} as const;
/** The accent is amber beside cool tones and teal beside warm ones. */
const ACCENT_HUES = { cool: 75, warm: 200 } as const;
const COOL_HUES = { from: 120, to: 300 } as const;
const DEEP = { light: [0.47, 0.12], dark: [0.78, 0.1] } as const;
const SEARCH_STEP = 0.01;

export function ownPalette(hue: number): Palette {
  const { background, tone, halfTone, light, accent } = TONES;
  return createPalette(
    [
      colourOf(background, hue),
      colourOf(tone, hue),
      colourOf(halfTone, hue),
      colourOf(light, hue),
      colourOf(accent, isCool(hue) ? ACCENT_HUES.cool : ACCENT_HUES.warm),
    ],
    deepTone('light', hue),
    deepTone('dark', hue),
  );
}

const isCool = (hue: number) => hue >= COOL_HUES.from && hue <= COOL_HUES.to;

/** Below this chroma in OKLCH nobody names a hue. */
const GREY_CHROMA_MAX = 0.02;

export function isGrey(colour: string): boolean {
  const { a, b } = convertRgbToOklab(channelsOf(colour));
  return Math.hypot(a, b) < GREY_CHROMA_MAX;
}

export function hueOf(colour: string): number {
  const lab = convertRgbToOklab(channelsOf(colour));
  const degrees = Math.round((Math.atan2(lab.b, lab.a) / (2 * Math.PI)) * FULL_TURN);
  return (degrees + FULL_TURN) % FULL_TURN;
}

/** Darkens the tone, or lightens it in the dark scheme, until text in it is readable on every surface. */
function deepTone(scheme: Scheme, hue: number): string {
  const [first, chroma] = DEEP[scheme];
  const step = scheme === 'light' ? -SEARCH_STEP : SEARCH_STEP;
  let [lightness, colour] = [first, colourOf(DEEP[scheme], hue)];
  while (contrast(colour, TILE[scheme]) < CONTRAST_MIN) {
    lightness += step;
    colour = colourOf([lightness, chroma], hue);
  }
  return colour;
}

function colourOf([lightness, chroma]: readonly [number, number], hue: number): string {
  const angle = (hue / FULL_TURN) * 2 * Math.PI;
  const lab = { l: lightness, a: chroma * Math.cos(angle), b: chroma * Math.sin(angle) };
  const rgb = convertLrgbToRgb(convertOklabToLrgb(lab));
  if ([rgb.r, rgb.g, rgb.b].every((value) => value >= 0 && value <= 1)) return toColour(rgb);
  return colourOf([lightness, Math.max(0, chroma - SEARCH_STEP)], hue);
}
