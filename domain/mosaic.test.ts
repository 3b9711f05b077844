import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { mosaicLayers } from './mosaic-path.ts';
import { BACKGROUND_GRID, BAND_GRID, createMosaic, createPoster } from './mosaic.ts';

const sampleIds = Array.from({ length: 10_000 }, (_, index) => `user${index}`);

test('mosaic: is different for each of ten thousand ids, and no card changes its picture or its colours', () => {
  const mosaics = sampleIds.map((id) => {
    const { bases, shapes } = mosaicLayers(createMosaic(id));
    return [...bases, ...shapes].map(({ fill, path }) => `${fill} ${path}`).join();
  });
  expect(new Set(mosaics).size).toBe(sampleIds.length);
  expect(createHash('md5').update(mosaics.join()).digest('hex')).toMatchInlineSnapshot(
    `"216686a44345fa2393112e71beb9c2bd"`,
  );
});

test('mosaic: has every tile of its grid, 3 rows in the band and 13 behind a card, and no shape has the colour of its base', () => {
  for (const id of sampleIds.slice(0, 500)) {
    for (const [grid, rows] of [
      [BAND_GRID, 3],
      [BACKGROUND_GRID, 13],
    ] as const) {
      const { tiles } = createMosaic(id, grid);
      expect(tiles).toHaveLength(9 * rows);
      expect(tiles.at(-1)).toMatchObject({ column: 8, row: rows - 1 });
      expect(tiles.filter((tile) => tile.fill === tile.base || tile.fill > 4)).toEqual([]);
    }
  }
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
