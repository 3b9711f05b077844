import { expect, test } from 'vitest';

import { mosaicLayers } from './mosaic-path.ts';
import type { Layer } from './mosaic-path.ts';
import { BACKGROUND_GRID, BAND_GRID, createMosaic, createPoster } from './mosaic.ts';
import type { Mosaic, Tile } from './mosaic.ts';
import { PALETTES } from './palette.ts';

const ID_COUNT = 10_000;
const sampleIds = Array.from({ length: ID_COUNT }, (_, index) => `user${index}`);

test('mosaic: is different for each of ten thousand ids', () => {
  const mosaics = sampleIds.map((id) => JSON.stringify(createMosaic(id)));
  expect(new Set(mosaics).size).toBe(ID_COUNT);
});

test('mosaic: has every tile of the grid, and no shape has the colour of its base', () => {
  for (const id of sampleIds.slice(0, 500)) {
    const { tiles } = createMosaic(id);
    expect(tiles).toHaveLength(BAND_GRID.columns * BAND_GRID.rows);
    expect(tiles.filter((tile) => tile.fill === tile.base || tile.fill > 4)).toEqual([]);
  }
});

function paintedLayers(mosaic: Mosaic): Layer[] {
  const { bases, shapes } = mosaicLayers(mosaic);
  return [...bases, ...shapes];
}

test('mosaic layers: one path per colour for bases and one for shapes', () => {
  const layers = paintedLayers({
    palette: PALETTES[0].tones,
    tiles: [
      { column: 0, row: 0, shape: 'quarter', rotation: 0, base: 1, fill: 2 },
      { column: 1, row: 0, shape: 'blank', rotation: 0, base: 1, fill: 2 },
      { column: 0, row: 1, shape: 'circle', rotation: 0, base: 0, fill: 4 },
    ],
  });
  expect(layers).toEqual([
    { fill: '#b0593d', path: 'M0 0h4v2h-4z' },
    { fill: '#e0a577', path: 'M0 0h2a2 2 0 0 1-2 2z' },
    { fill: '#2f4a4f', path: 'M0 3a1 1 0 0 1 2 0 1 1 0 0 1-2 0z' },
  ]);
});

test('mosaic layers: every shape in every rotation', () => {
  const shapes = ['quarter', 'triangle', 'leaf', 'circle', 'diamond'] as const;
  const paths = shapes.map((shape) => {
    const place = { column: 5, row: 3, base: 0, fill: 1 };
    const tiles = [0, 1, 2, 3].map((rotation): Tile => ({ ...place, shape, rotation }));
    const layers = tiles.flatMap((tile) =>
      paintedLayers({ palette: PALETTES[0].tones, tiles: [tile] }),
    );
    return [shape, ...layers.map(({ path }) => path)].join(' | ');
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

test('mosaic layers: only adjacent tiles of a row become one rectangle', () => {
  const tile = { shape: 'blank', rotation: 0, base: 1, fill: 2 } as const;
  const columnsOfRows = [[0, 1, 3], [4], [7]];
  const tiles = columnsOfRows.flatMap((columns, row) =>
    columns.map((column) => ({ ...tile, column, row })),
  );
  const [layer] = paintedLayers({ palette: PALETTES[0].tones, tiles });
  expect(layer?.path).toBe('M0 0h4v2h-4zM6 0h2v2h-2zM8 2h2v2h-2zM14 4h2v2h-2z');
});

test('mosaic: a card keeps its picture', () => {
  const layers = ['7Hq2mXvB9kTzR4cW', 'bQ3nYt8LkP5sVd2e'].map((id) =>
    paintedLayers(createMosaic(id)).map(({ fill, path }) => `${fill} ${path}`),
  );
  expect(layers).toMatchInlineSnapshot(`
    [
      [
        "#2c4360 M10 0h2v2h-2zM14 0h2v2h-2zM6 2h2v2h-2zM14 2h2v2h-2zM14 4h2v2h-2z",
        "#648aa9 M2 0h2v2h-2zM4 2h2v2h-2zM10 4h2v2h-2zM16 4h2v2h-2z",
        "#15202f M18 6h-2l2-2z",
        "#2c4360 M2 0v2a2 2 0 0 1-2-2zM5 0l1 1-1 1-1-1zM10 0v2l-2-2zM16 0h2l-2 2zM9 2l1 1-1 1-1-1zM16 3a1 1 0 0 1 2 0 1 1 0 0 1-2 0zM4 6h-2a2 2 0 0 1 2-2zM11 4l1 1-1 1-1-1z",
        "#648aa9 M12 0a2 2 0 0 1 2 2 2 2 0 0 1-2-2zM6 4v-2a2 2 0 0 1 2 2zM0 6v-2l2 2zM4 6v-2a2 2 0 0 1 2 2zM6 4a2 2 0 0 1 2 2 2 2 0 0 1-2-2zM12 5a1 1 0 0 1 2 0 1 1 0 0 1-2 0z",
        "#d2e0e8 M16 2h-2a2 2 0 0 1 2-2zM2 2h2l-2 2zM6 2v2a2 2 0 0 1-2-2zM10 4v-2a2 2 0 0 1 2 2zM14 2v2a2 2 0 0 1-2-2zM16 2a2 2 0 0 1-2 2 2 2 0 0 1 2-2zM10 4a2 2 0 0 1-2 2 2 2 0 0 1 2-2z",
        "#e0704a M12 0v2a2 2 0 0 1-2-2z",
      ],
      [
        "#777067 M4 0h2v2h-2zM14 0h2v2h-2zM12 2h2v2h-2zM2 4h6v2h-6zM12 4h4v2h-4z",
        "#45413c M12 2h2a2 2 0 0 1-2 2z",
        "#777067 M2 0v2a2 2 0 0 1-2-2zM7 0l1 1-1 1-1-1zM12 2h-2a2 2 0 0 1 2-2zM14 2h-2a2 2 0 0 1 2-2zM2 2h2a2 2 0 0 1-2 2zM10 4h-2l2-2zM10 2a2 2 0 0 1 2 2 2 2 0 0 1-2-2zM16 4h-2a2 2 0 0 1 2-2zM2 4v2a2 2 0 0 1-2-2zM8 4h2l-2 2zM12 4a2 2 0 0 1-2 2 2 2 0 0 1 2-2zM17 4l1 1-1 1-1-1z",
        "#b9b1a4 M8 2v-2l2 2zM14 2v-2l2 2zM2 2v2a2 2 0 0 1-2-2zM4 6h-2a2 2 0 0 1 2-2zM6 6v-2a2 2 0 0 1 2 2zM12 5a1 1 0 0 1 2 0 1 1 0 0 1-2 0z",
        "#eee9e0 M6 0a2 2 0 0 1-2 2 2 2 0 0 1 2-2zM17 0l1 1-1 1-1-1zM16 2h2a2 2 0 0 1-2 2zM14 4a2 2 0 0 1 2 2 2 2 0 0 1-2-2z",
        "#b5472b M2 0a2 2 0 0 1 2 2 2 2 0 0 1-2-2zM6 2v2a2 2 0 0 1-2-2z",
      ],
    ]
  `);
});

test('mosaic: has 13 rows behind a card on a page', () => {
  const { tiles } = createMosaic('7Hq2mXvB9kTzR4cW', BACKGROUND_GRID);
  expect([tiles.length, tiles.at(-1)?.column, tiles.at(-1)?.row]).toEqual([117, 8, 12]);
});

test('poster: begins with the tiles of the band, and has no tile behind the portrait and no light one around it', () => {
  for (const id of sampleIds.slice(0, 200)) {
    const [band, poster] = [createMosaic(id).tiles, createPoster(id).tiles];
    expect(poster.slice(0, 18)).toEqual(band.slice(0, 18));
    expect(poster.filter(({ row }) => row > 2).map(({ column }) => column)).toEqual([
      0, 4, 5, 6, 7, 8, 0, 4, 5, 6, 7, 8, 0, 4, 5, 6, 7, 8,
    ]);
    const around = poster.filter(({ column, row }) => row > 1 && column < 5);
    expect(around.filter(({ fill, base }) => fill === 3 || fill === base)).toEqual([]);
  }
});
