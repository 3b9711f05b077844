import type { Mosaic, Tile } from './mosaic.ts';

/** A tile's side in the drawing's own units; two, so that every middle is a whole number. */
export const TILE_SIDE = 2;

/** One colour of a drawing: an SVG fill and path data. */
export interface Layer {
  readonly fill: string;
  readonly path: string;
}

/**
 * A mosaic as SVG paths, to be drawn in this order over a ground of the palette's first colour:
 * one path a colour for what the tiles lie on, then one a colour for the shapes.
 */
export function mosaicLayers({ palette, tiles }: Mosaic): Layer[] {
  const bases = palette.map((fill, at) => ({
    fill,
    path: at === 0 ? '' : basePath(tiles.filter((tile) => tile.base === at)),
  }));
  const shapes = palette.map((fill, at) => ({
    fill,
    path: tiles
      .filter((tile) => tile.fill === at)
      .map(shapePath)
      .join(''),
  }));
  return [...bases, ...shapes].filter((layer) => layer.path !== '');
}

/** Neighbours in a row become one rectangle: no hairline between them, and fewer bytes. */
function basePath(tiles: readonly Tile[]): string {
  const runs: { column: number; row: number; length: number }[] = [];
  for (const { column, row } of tiles) {
    const last = runs.at(-1);
    if (last && last.row === row && last.column + last.length === column) last.length += 1;
    else runs.push({ column, row, length: 1 });
  }
  return runs
    .map(({ column, row, length }) => {
      const width = length * TILE_SIDE;
      return `M${column * TILE_SIDE} ${row * TILE_SIDE}h${width}v2h-${width}z`;
    })
    .join('');
}

// Each turn starts from another corner and goes round the same way.
const CORNERS = [
  [0, 0],
  [2, 0],
  [2, 2],
  [0, 2],
] as const;
const QUARTERS = [
  'h2a2 2 0 0 1-2 2z',
  'v2a2 2 0 0 1-2-2z',
  'h-2a2 2 0 0 1 2-2z',
  'v-2a2 2 0 0 1 2 2z',
];
const TRIANGLES = ['h2l-2 2z', 'v2l-2-2z', 'h-2l2-2z', 'v-2l2 2z'];
const LEAVES = ['a2 2 0 0 1 2 2 2 2 0 0 1-2-2z', 'a2 2 0 0 1-2 2 2 2 0 0 1 2-2z'];

function shapePath({ shape, turn, column, row }: Tile): string {
  const [left, top] = [column * TILE_SIDE, row * TILE_SIDE];
  const [x, y] = CORNERS[turn] ?? CORNERS[0];
  const corner = `M${left + x} ${top + y}`;
  if (shape === 'quarter') return `${corner}${QUARTERS[turn] ?? ''}`;
  if (shape === 'triangle') return `${corner}${TRIANGLES[turn] ?? ''}`;
  if (shape === 'leaf') return `M${left + (turn % 2) * TILE_SIDE} ${top}${LEAVES[turn % 2] ?? ''}`;
  if (shape === 'circle') return `M${left} ${top + 1}a1 1 0 0 1 2 0 1 1 0 0 1-2 0z`;
  if (shape === 'diamond') return `M${left + 1} ${top}l1 1-1 1-1-1z`;
  return '';
}
