import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { mosaicLayers } from './mosaic-path.ts';
import { BACKGROUND_GRID, BAND_GRID, createMosaic, createPoster } from './mosaic.ts';
import type { Mosaic, Tile } from './mosaic.ts';
import { PALETTES } from './palette.ts';

const sampleIds = Array.from({ length: 10_000 }, (_, index) => `user${index}`);
const GRIDS = [
  [BAND_GRID, 27],
  [BACKGROUND_GRID, 117],
] as const;

/** The colour and the path of each layer. */
function layersOf(mosaic: Pick<Mosaic, 'tiles'> & Partial<Mosaic>): string[] {
  const { bases, shapes } = mosaicLayers({ palette: PALETTES[0].tones, ...mosaic });
  return [...bases, ...shapes].map(({ fill, path }) => `${fill} ${path}`);
}

test('mosaic: is different for each of ten thousand ids, and no card changes its picture or its colours', () => {
  const mosaics = sampleIds.map((id) => layersOf(createMosaic(id)).join());
  expect(new Set(mosaics).size).toBe(sampleIds.length);
  expect(createHash('md5').update(mosaics.join()).digest('hex')).toMatchInlineSnapshot(
    `"216686a44345fa2393112e71beb9c2bd"`,
  );
});

test('mosaic: has every tile of its grid, 3 rows in the band and 13 behind a card, and no shape has the colour of its base', () => {
  for (const id of sampleIds.slice(0, 500)) {
    for (const [grid, count] of GRIDS) {
      const { tiles } = createMosaic(id, grid);
      expect(tiles).toHaveLength(count);
      expect(tiles.at(-1)).toMatchObject({ column: 8, row: count / 9 - 1 });
      expect(tiles.filter((tile) => tile.fill === tile.base || tile.fill > 4)).toEqual([]);
    }
  }
});

test('mosaic layers: every shape in every rotation', () => {
  const shapes = ['quarter', 'triangle', 'leaf', 'circle', 'diamond'] as const;
  const paths = shapes.map((shape) => {
    const place = { column: 5, row: 3, base: 0, fill: 1 };
    const tiles = [0, 1, 2, 3].map((rotation): Tile => ({ ...place, shape, rotation }));
    const layers = tiles.flatMap((tile) => layersOf({ tiles: [tile] }));
    return [shape, ...layers.map((layer) => layer.replace(/^\S+ /, ''))].join(' | ');
  });
  expect(paths).toMatchInlineSnapshot(`
    [
      "quarter | M10 6h2a2 2 0 0 1-2 2z | M12 6v2a2 2 0 0 1-2-2z | M12 8h-2a2 2 0 0 1 2-2z | M10 8v-2a2 2 0 0 1 2 2z",
      "triangle | M10 6h2l-2 2z | M12 6v2l-2-2z | M12 8h-2l2-2z | M10 8v-2l2 2z",
      "leaf | M10 6a2 2 0 0 1 2 2 2 2 0 0 1-2-2z | M12 6a2 2 0 0 1-2 2 2 2 0 0 1 2-2z | M10 6a2 2 0 0 1 2 2 2 2 0 0 1-2-2z | M12 6a2 2 0 0 1-2 2 2 2 0 0 1 2-2z",
      "circle | M10 7a1 1 0 0 1 2 0 1 1 0 0 1-2 0z | M10 7a1 1 0 0 1 2 0 1 1 0 0 1-2 0z | M10 7a1 1 0 0 1 2 0 1 1 0 0 1-2 0z | M10 7a1 1 0 0 1 2 0 1 1 0 0 1-2 0z",
      "diamond | M11 6l1 1-1 1-1-1z | M11 6l1 1-1 1-1-1z | M11 6l1 1-1 1-1-1z | M11 6l1 1-1 1-1-1z",
    ]
  `);
});

test('poster: begins with the tiles of the band, and has no tile behind the portrait and no light one around it', () => {
  for (const id of sampleIds.slice(0, 200)) {
    const [band, poster] = [createMosaic(id).tiles, createPoster(id).tiles];
    expect(poster.slice(0, 18)).toEqual(band.slice(0, 18));
    const columns = poster.filter(({ row }) => row > 2).map(({ column }) => column);
    expect(columns.join('')).toBe('045678'.repeat(3));
    const around = poster.filter(({ column, row }) => row > 1 && column < 5);
    expect(around.filter(({ fill, base }) => fill === 3 || fill === base)).toEqual([]);
  }
});
