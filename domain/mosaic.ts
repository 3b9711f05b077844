import { idPalette } from './palette.ts';
import type { Palette, Tones } from './palette.ts';
import { seededRandom } from './random.ts';

const SHAPES = ['quarter', 'triangle', 'leaf', 'circle', 'diamond', 'blank'] as const;
const SHAPE_WEIGHTS = toWeights(36, 18, 16, 8, 8, 14);
const BASE_WEIGHTS = toWeights(58, 27, 15);
const FILL_WEIGHTS = toWeights(14, 32, 28, 17, 9);
const ROTATIONS = 4;

export interface Tile {
  readonly column: number;
  readonly row: number;
  readonly shape: (typeof SHAPES)[number];
  readonly rotation: number;
  readonly base: number;
  readonly fill: number;
}

export interface Mosaic {
  readonly palette: Tones;
  readonly tiles: readonly Tile[];
}

export interface Grid {
  readonly columns: number;
  readonly rows: number;
}

export const BAND_GRID: Grid = { columns: 9, rows: 3 };
/** The first rows of a poster are those of the band. */
export const POSTER_GRID: Grid = { columns: 9, rows: 6 };
/** For the first tile alone. */
export const ONE_TILE: Grid = { columns: 1, rows: 1 };
/** The tiles of the poster on which the portrait stands. */
const PORTRAIT_OPENING = { column: 1, row: 3, side: 3 };
const LIGHT_TONE = 3;
export const BACKGROUND_GRID: Grid = { columns: 9, rows: 13 };

export function createMosaic(
  seed: string,
  grid: Grid = BAND_GRID,
  { tones } = idPalette(seed),
): Mosaic {
  const random = seededRandom(seed);
  random();
  const tiles = Array.from({ length: grid.columns * grid.rows }, (_, index): Tile => {
    const base = pickWeighted(BASE_WEIGHTS, random());
    const fill = pickWeighted(FILL_WEIGHTS, random());
    return {
      column: index % grid.columns,
      row: Math.floor(index / grid.columns),
      shape: SHAPES[pickWeighted(SHAPE_WEIGHTS, random())] ?? 'blank',
      rotation: Math.floor(random() * ROTATIONS),
      base,
      // A shape in the colour of its base would be invisible, so it gets the next colour.
      fill: fill === base ? fill + 1 : fill,
    };
  });
  return { palette: tones, tiles };
}

/** Leaves the tiles behind the portrait out and darkens those around it, because initials are light. */
export function createPoster(seed: string, palette?: Palette): Mosaic {
  const mosaic = createMosaic(seed, POSTER_GRID, palette);
  const tiles = mosaic.tiles.flatMap((tile) => {
    const steps = distanceToOpening(tile);
    if (steps === 0) return [];
    const isLight = steps === 1 && tile.fill === LIGHT_TONE;
    return { ...tile, fill: isLight ? LIGHT_TONE - 1 - Math.floor(tile.base / 2) : tile.fill };
  });
  return { ...mosaic, tiles };
}

function distanceToOpening({ column, row }: Tile): number {
  const { side } = PORTRAIT_OPENING;
  const steps = [column - PORTRAIT_OPENING.column, row - PORTRAIT_OPENING.row].map((at) =>
    Math.max(-at, at - side + 1, 0),
  );
  return Math.max(...steps);
}

type Weights = ReturnType<typeof toWeights>;

function toWeights(...weights: readonly number[]) {
  return { weights, total: weights.reduce((sum, weight) => sum + weight, 0) };
}

function pickWeighted({ weights, total }: Weights, chance: number): number {
  let remaining = chance * total;
  const index = weights.findIndex((weight) => (remaining -= weight) < 0);
  return Math.max(0, index);
}
