import { expect, test } from 'vitest';

import { mosaicLayers } from './mosaic-path.ts';
import { BAND_GRID, mosaicOf, PALETTES } from './mosaic.ts';

const ID_COUNT = 10_000;
const sampleIds = Array.from({ length: ID_COUNT }, (_, index) => `user${index}`);

test('mosaic: never changes for an id', () => {
  const pinned = ['7Hq2mXvB9kTzR4cW', 'bQ3nYt8LkP5sVd2e'].map((id) => {
    const { palette, tiles } = mosaicOf(id);
    return [PALETTES.indexOf(palette), tiles.slice(0, 3)];
  });
  expect(pinned).toMatchInlineSnapshot(`
    [
      [
        9,
        [
          {
            "base": 0,
            "column": 0,
            "fill": 1,
            "rotation": 1,
            "row": 0,
            "shape": "quarter",
          },
          {
            "base": 2,
            "column": 1,
            "fill": 1,
            "rotation": 0,
            "row": 0,
            "shape": "blank",
          },
          {
            "base": 0,
            "column": 2,
            "fill": 1,
            "rotation": 2,
            "row": 0,
            "shape": "diamond",
          },
        ],
      ],
      [
        11,
        [
          {
            "base": 0,
            "column": 0,
            "fill": 1,
            "rotation": 1,
            "row": 0,
            "shape": "quarter",
          },
          {
            "base": 0,
            "column": 1,
            "fill": 4,
            "rotation": 0,
            "row": 0,
            "shape": "leaf",
          },
          {
            "base": 1,
            "column": 2,
            "fill": 3,
            "rotation": 3,
            "row": 0,
            "shape": "leaf",
          },
        ],
      ],
    ]
  `);
});

test('mosaic: is the same for the same id', () => {
  expect(mosaicOf('7Hq2mXvB9kTzR4cW')).toEqual(mosaicOf('7Hq2mXvB9kTzR4cW'));
});

test('mosaic: is different for each of ten thousand ids', () => {
  const mosaics = sampleIds.map((id) => JSON.stringify(mosaicOf(id)));
  expect(new Set(mosaics).size).toBe(ID_COUNT);
});

test('palettes: all are equally frequent within 25 %', () => {
  const counts = new Map<unknown, number>();
  for (const id of sampleIds) {
    const { palette } = mosaicOf(id);
    counts.set(palette, (counts.get(palette) ?? 0) + 1);
  }
  const expectedCount = ID_COUNT / PALETTES.length;
  expect(
    PALETTES.filter((one) => Math.abs((counts.get(one) ?? 0) / expectedCount - 1) > 0.25),
  ).toEqual([]);
});

test('mosaic: has every tile of the grid, and no shape has the colour of its base', () => {
  for (const id of sampleIds.slice(0, 500)) {
    const { tiles } = mosaicOf(id);
    expect(tiles).toHaveLength(BAND_GRID.columns * BAND_GRID.rows);
    expect(tiles.filter((tile) => tile.fill === tile.base || tile.fill > 4)).toEqual([]);
  }
});

test('palettes: the light colour is readable on the background', () => {
  const unreadable = PALETTES.filter(
    ([background, , , light]) => contrast(background, light) < 4.5,
  );
  expect(unreadable).toEqual([]);
});

test('mosaic layers: one path per colour for bases and one for shapes', () => {
  const layers = mosaicLayers({
    palette: PALETTES[0] ?? ['', '', '', '', ''],
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

/** The contrast ratio of WCAG 2.2. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const channel = parseInt(colour.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
