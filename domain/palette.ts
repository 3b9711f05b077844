import { mixColours } from './colour.ts';
import { seededRandom } from './random.ts';

export const SCHEMES = ['light', 'dark'] as const;
export type Scheme = (typeof SCHEMES)[number];

export interface Palette {
  readonly tones: Tones;
  readonly light: string;
  readonly deep: Readonly<Record<Scheme, string>>;
}

export type Tones = readonly [
  background: string,
  tone: string,
  halfTone: string,
  light: string,
  accent: string,
];

/** A stored number is a position in this list, so the order stays. */
const NAMED_PALETTES = {
  Terracotta: createPalette(
    ['#6e3428', '#b0593d', '#e0a577', '#f4e3cd', '#2f4a4f'],
    '#893315',
    '#f3a48b',
  ),
  Lagoon: createPalette(
    ['#12454e', '#1f6f78', '#78b5ac', '#dceae0', '#e5a04b'],
    '#0f5963',
    '#7ec9d2',
  ),
  Olive: createPalette(
    ['#3b472a', '#6c7943', '#b3b27a', '#eee8d3', '#c8663a'],
    '#4a561d',
    '#b4c28a',
  ),
  Indigo: createPalette(
    ['#242b57', '#3f4a8c', '#8f98cc', '#e5e5f2', '#f0b35a'],
    '#3d488e',
    '#a6b6fb',
  ),
  Plum: createPalette(
    ['#4a2540', '#7d4468', '#c08da8', '#f2e2e9', '#e2a03f'],
    '#763b61',
    '#e4a3ca',
  ),
  Slate: createPalette(
    ['#28343f', '#4b6072', '#96a9b7', '#e4e9eb', '#d9734e'],
    '#3a5062',
    '#a6bed2',
  ),
  Sandstone: createPalette(
    ['#6d5230', '#b48d52', '#e0c795', '#f7f0df', '#3c5a5e'],
    '#73521a',
    '#dcb377',
  ),
  Forest: createPalette(
    ['#173f35', '#2f6b55', '#86b291', '#e1ebdb', '#e7b24c'],
    '#165a44',
    '#8dcab1',
  ),
  Rose: createPalette(
    ['#722b3a', '#b35360', '#e2a29b', '#f8e6df', '#31424f'],
    '#8d3140',
    '#f3a0a8',
  ),
  Midnight: createPalette(
    ['#15202f', '#2c4360', '#648aa9', '#d2e0e8', '#e0704a'],
    '#2b4462',
    '#a2bde0',
  ),
  Saffron: createPalette(
    ['#7a4212', '#c97d1f', '#edbc66', '#fbeecf', '#2e4656'],
    '#7d4a0c',
    '#e7ad74',
  ),
  Granite: createPalette(
    ['#45413c', '#777067', '#b9b1a4', '#eee9e0', '#b5472b'],
    '#534c43',
    '#c1b9af',
  ),
};
export const PALETTE_NAMES = Object.keys(NAMED_PALETTES);
export const PALETTES: readonly Palette[] = Object.values(NAMED_PALETTES);

export function createPalette(tones: Tones, light: string, dark: string): Palette {
  return { tones, light: tones[3], deep: { light, dark } };
}

export function idPalette(userId: string): Palette {
  return (
    PALETTES[Math.floor(seededRandom(userId)() * PALETTES.length)] ?? NAMED_PALETTES.Terracotta
  );
}

/** The share of white in each tone of a quiet mosaic. */
const QUIET_SHARES = [0, 0.04, 0.06, 0.08, 0.05] as const;

export function quietPalette({ tones, light, deep }: Palette): Palette {
  const shade = (at: 0 | 1 | 2 | 3 | 4) => mixColours('#ffffff', tones[0], QUIET_SHARES[at]);
  return { tones: [shade(0), shade(1), shade(2), shade(3), shade(4)], light, deep };
}

/** These colours repeat --ink, --surface and --tile of view/tokens.css. */
const INK = { light: '#16181d', dark: '#f3f1ec' } as const;
export const SURFACE = { light: '#ffffff', dark: '#1c1e24' } as const;
export const TILE = { light: '#f4f1eb', dark: '#272a31' } as const;
const PRESSED_SHARE = 0.85;
const SOFT_SHARE = 0.12;

/** Returns the properties that override those of view/accent.css. */
export function accentProperties({ deep }: Palette, scheme: Scheme) {
  const accent = deep[scheme];
  return {
    '--accent': accent,
    '--accent-deep': mixColours(accent, INK[scheme], PRESSED_SHARE),
    '--accent-soft': mixColours(accent, SURFACE[scheme], SOFT_SHARE),
  };
}
