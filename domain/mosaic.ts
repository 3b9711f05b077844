import { seededRandom } from './random.ts';

export type Palette = readonly [
  background: string,
  tone: string,
  halfTone: string,
  light: string,
  accent: string,
];

/** docs/design.md#mosaic. Initials in the light colour are readable on the background. */
export const PALETTES: readonly Palette[] = [
  ['#6e3428', '#b0593d', '#e0a577', '#f4e3cd', '#2f4a4f'],
  ['#12454e', '#1f6f78', '#78b5ac', '#dceae0', '#e5a04b'],
  ['#3b472a', '#6c7943', '#b3b27a', '#eee8d3', '#c8663a'],
  ['#242b57', '#3f4a8c', '#8f98cc', '#e5e5f2', '#f0b35a'],
  ['#4a2540', '#7d4468', '#c08da8', '#f2e2e9', '#e2a03f'],
  ['#28343f', '#4b6072', '#96a9b7', '#e4e9eb', '#d9734e'],
  ['#6d5230', '#b48d52', '#e0c795', '#f7f0df', '#3c5a5e'],
  ['#173f35', '#2f6b55', '#86b291', '#e1ebdb', '#e7b24c'],
  ['#722b3a', '#b35360', '#e2a29b', '#f8e6df', '#31424f'],
  ['#15202f', '#2c4360', '#648aa9', '#d2e0e8', '#e0704a'],
  ['#7a4212', '#c97d1f', '#edbc66', '#fbeecf', '#2e4656'],
  ['#45413c', '#777067', '#b9b1a4', '#eee9e0', '#b5472b'],
];

const SHAPES = ['quarter', 'triangle', 'leaf', 'circle', 'diamond', 'blank'] as const;
const SHAPE_WEIGHTS = [36, 18, 16, 8, 8, 14];
/** Weights of background, tone and half tone. */
const BASE_WEIGHTS = [58, 27, 15];
/** Weights of the five colours. The accent is rare. */
const FILL_WEIGHTS = [14, 32, 28, 17, 9];
const ROTATIONS = 4;

export interface Tile {
  readonly column: number;
  readonly row: number;
  readonly shape: (typeof SHAPES)[number];
  /** In steps of 90 degrees. */
  readonly rotation: number;
  readonly base: number;
  readonly fill: number;
}

export interface Mosaic {
  readonly palette: Palette;
  readonly tiles: readonly Tile[];
}

export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** On top of a card. */
export const BAND_GRID: Grid = { columns: 9, rows: 3 };
/** Behind a card on a page. */
export const BACKGROUND_GRID: Grid = { columns: 9, rows: 13 };

export function createMosaic(seed: string, grid: Grid = BAND_GRID): Mosaic {
  const random = seededRandom(seed);
  const palette = PALETTES[Math.floor(random() * PALETTES.length)] ?? FIRST_PALETTE;
  const tiles = Array.from({ length: grid.columns * grid.rows }, (_, index): Tile => {
    const base = pick(BASE_WEIGHTS, random());
    const fill = pick(FILL_WEIGHTS, random());
    return {
      column: index % grid.columns,
      row: Math.floor(index / grid.columns),
      shape: SHAPES[pick(SHAPE_WEIGHTS, random())] ?? 'blank',
      rotation: Math.floor(random() * ROTATIONS),
      base,
      // A shape in the colour of its base would be invisible, so it gets the next colour.
      fill: fill === base ? fill + 1 : fill,
    };
  });
  return { palette, tiles };
}

const [FIRST_PALETTE = ['#000', '#000', '#000', '#fff', '#fff'] as const] = PALETTES;

function pick(weights: readonly number[], chance: number): number {
  let remaining = chance * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => (remaining -= weight) < 0);
  return Math.max(0, index);
}
