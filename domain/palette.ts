import { seededRandom } from './random.ts';

export type Scheme = 'light' | 'dark';

/** The tones of a mosaic (docs/design.md#mosaic) and the colour of what can be pressed. */
export interface Palette {
  readonly tones: Tones;
  readonly deep: Readonly<Record<Scheme, string>>;
}

export type Tones = readonly [
  background: string,
  tone: string,
  halfTone: string,
  light: string,
  accent: string,
];

/** Initials in the light tone are readable on the background. */
export const PALETTES: readonly [Palette, ...Palette[]] = [
  {
    tones: ['#6e3428', '#b0593d', '#e0a577', '#f4e3cd', '#2f4a4f'],
    deep: { light: '#893315', dark: '#f3a48b' },
  },
  {
    tones: ['#12454e', '#1f6f78', '#78b5ac', '#dceae0', '#e5a04b'],
    deep: { light: '#0f5963', dark: '#7ec9d2' },
  },
  {
    tones: ['#3b472a', '#6c7943', '#b3b27a', '#eee8d3', '#c8663a'],
    deep: { light: '#4a561d', dark: '#b4c28a' },
  },
  {
    tones: ['#242b57', '#3f4a8c', '#8f98cc', '#e5e5f2', '#f0b35a'],
    deep: { light: '#3d488e', dark: '#a6b6fb' },
  },
  {
    tones: ['#4a2540', '#7d4468', '#c08da8', '#f2e2e9', '#e2a03f'],
    deep: { light: '#763b61', dark: '#e4a3ca' },
  },
  {
    tones: ['#28343f', '#4b6072', '#96a9b7', '#e4e9eb', '#d9734e'],
    deep: { light: '#3a5062', dark: '#a6bed2' },
  },
  {
    tones: ['#6d5230', '#b48d52', '#e0c795', '#f7f0df', '#3c5a5e'],
    deep: { light: '#73521a', dark: '#dcb377' },
  },
  {
    tones: ['#173f35', '#2f6b55', '#86b291', '#e1ebdb', '#e7b24c'],
    deep: { light: '#165a44', dark: '#8dcab1' },
  },
  {
    tones: ['#722b3a', '#b35360', '#e2a29b', '#f8e6df', '#31424f'],
    deep: { light: '#8d3140', dark: '#f3a0a8' },
  },
  {
    tones: ['#15202f', '#2c4360', '#648aa9', '#d2e0e8', '#e0704a'],
    deep: { light: '#2b4462', dark: '#a2bde0' },
  },
  {
    tones: ['#7a4212', '#c97d1f', '#edbc66', '#fbeecf', '#2e4656'],
    deep: { light: '#7d4a0c', dark: '#e7ad74' },
  },
  {
    tones: ['#45413c', '#777067', '#b9b1a4', '#eee9e0', '#b5472b'],
    deep: { light: '#534c43', dark: '#c1b9af' },
  },
];

export function idPalette(userId: string): Palette {
  return PALETTES[Math.floor(seededRandom(userId)() * PALETTES.length)] ?? PALETTES[0];
}

interface CardColours {
  /** The number of the palette; null without a photo, and while it is not known. */
  readonly photoPalette: number | null;
}

export function cardPalette(userId: string, { photoPalette }: CardColours): Palette {
  return PALETTES[photoPalette ?? -1] ?? idPalette(userId);
}

/** --ink and --surface of view/tokens.css. */
const INK = { light: '#16181d', dark: '#f3f1ec' } as const;
export const SURFACE = { light: '#ffffff', dark: '#1c1e24' } as const;
/** The shares of the deep tone. */
const PRESSED_SHARE = 0.85;
const SOFT_SHARE = 0.12;

/** In place of view/accent.css. */
export function accentsOf({ deep }: Palette, scheme: Scheme) {
  const accent = deep[scheme];
  return {
    '--accent': accent,
    '--accent-deep': mixColours(accent, INK[scheme], PRESSED_SHARE),
    '--accent-soft': mixColours(accent, SURFACE[scheme], SOFT_SHARE),
  };
}

/** `share` is that of the first one. */
export function mixColours(one: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((start) => {
    const [a, b] = [one, other].map((colour) => parseInt(colour.slice(start, start + 2), 16));
    return Math.round((a ?? 0) * share + (b ?? 0) * (1 - share));
  });
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}
