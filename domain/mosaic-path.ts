import type { Mosaic, Tile } from './mosaic.ts';

/** A tile has two SVG units, so that its centre has whole coordinates. */
export const TILE_SIDE = 2;

const hasPath = (layer: { readonly path: string }) => layer.path !== '';

export function mosaicLayers({ palette, tiles }: Mosaic) {
  const bases = palette.map((fill, index) => ({
    fill,
    path: index === 0 ? '' : basePath(tiles.filter((tile) => tile.base === index)),
  }));
  const shapes = palette.map((fill, index) => ({
    fill,
    path: tiles
      .filter((tile) => tile.fill === index)
      .map(shapePath)
      .join(''),
  }));
  return { bases: bases.filter(hasPath), shapes: shapes.filter(hasPath) };
}

/** Joins adjacent tiles of a row to one rectangle, which saves bytes and shows no hairline. */
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

// Each list has one entry per rotation, clockwise from the top left corner.
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

function shapePath({ shape, rotation, column, row }: Tile): string {
  const [left, top] = [column * TILE_SIDE, row * TILE_SIDE];
  const [x, y] = CORNERS[rotation] ?? CORNERS[0];
  const corner = `M${left + x} ${top + y}`;
  if (shape === 'quarter') return `${corner}${QUARTERS[rotation] ?? ''}`;
  if (shape === 'triangle') return `${corner}${TRIANGLES[rotation] ?? ''}`;
  if (shape === 'leaf')
    return `M${left + (rotation % 2) * TILE_SIDE} ${top}${LEAVES[rotation % 2] ?? ''}`;
  if (shape === 'circle') return `M${left} ${top + 1}a1 1 0 0 1 2 0 1 1 0 0 1-2 0z`;
  if (shape === 'diamond') return `M${left + 1} ${top}l1 1-1 1-1-1z`;
  return '';
}
