import { seededRandom } from './random.ts';

/** Five harmonious tiles: a deep ground, two tones of it, a light, and one spark against them. */
export type Palette = readonly [
  ground: string,
  tone: string,
  halfTone: string,
  light: string,
  spark: string,
];

/** The twelve palettes (docs/design.md#mosaic). The light is readable on the ground, for initials. */
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
/** How often a tile lies on the ground, the tone, the half tone. */
const BASE_WEIGHTS = [58, 27, 15];
/** How often a shape is cut from each of the five: the spark is rare, or it is no spark. */
const FILL_WEIGHTS = [14, 32, 28, 17, 9];
const TURNS = 4;

export interface Tile {
  readonly column: number;
  readonly row: number;
  readonly shape: (typeof SHAPES)[number];
  /** Quarter turns, 0 to 3. */
  readonly turn: number;
  /** What it lies on and what it is cut from: places in the palette. */
  readonly base: number;
  readonly fill: number;
}

export interface Mosaic {
  readonly palette: Palette;
  readonly tiles: readonly Tile[];
}

/** How many tiles lie side by side and one above the other. */
export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

/** The band on top of a card. */
export const BAND_GRID: Grid = { columns: 9, rows: 3 };
/** A wall behind a card: as many tiles as its height asks for, so that they stay small. */
export const WALL_GRID: Grid = { columns: 9, rows: 13 };

/** The mosaic of an id: the same for the same id and grid, everywhere and for ever. */
export function mosaicOf(seed: string, grid: Grid = BAND_GRID): Mosaic {
  const random = seededRandom(seed);
  const palette = PALETTES[Math.floor(random() * PALETTES.length)] ?? FIRST_PALETTE;
  const tiles = Array.from({ length: grid.columns * grid.rows }, (_, at): Tile => {
    const base = pick(BASE_WEIGHTS, random());
    const drawn = pick(FILL_WEIGHTS, random());
    return {
      column: at % grid.columns,
      row: Math.floor(at / grid.columns),
      shape: SHAPES[pick(SHAPE_WEIGHTS, random())] ?? 'blank',
      turn: Math.floor(random() * TURNS),
      base,
      // A shape of its base's colour would not be seen: it takes the next one.
      fill: drawn === base ? drawn + 1 : drawn,
    };
  });
  return { palette, tiles };
}

const [FIRST_PALETTE = ['#000', '#000', '#000', '#fff', '#fff'] as const] = PALETTES;

/** The place in which a number from 0 to 1 falls among weights. */
function pick(weights: readonly number[], chance: number): number {
  let left = chance * weights.reduce((sum, weight) => sum + weight, 0);
  const place = weights.findIndex((weight) => (left -= weight) < 0);
  return Math.max(0, place);
}
