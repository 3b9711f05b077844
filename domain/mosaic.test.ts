import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { HUE_MAX } from './appearance.ts';
import { CONTRAST_MIN, contrast, mixColours } from './colour.ts';
import { mosaicLayers } from './mosaic-path.ts';
import { BACKGROUND_GRID, BAND_GRID, createMosaic, createPoster } from './mosaic.ts';
import { hueOf, ownPalette } from './own-palette.ts';
import { accentProperties, PALETTES, quietPalette, TILE } from './palette.ts';

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

const OWN_PALETTES = Array.from({ length: HUE_MAX + 1 }, (_, hue) => ownPalette(hue));
/** The shares of the accent in a surface. */
const TINTS = { light: [0], dark: [0, 0.06] };

test.each(['light', 'dark'] as const)('palettes: text and background have 4.5:1, %s', (scheme) => {
  const css = readFileSync('view/tokens.css', 'utf8').split('@media')[scheme === 'light' ? 0 : 1];
  const token = (name: string) =>
    new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(css ?? '')?.[1] ?? '';
  expect(TILE[scheme]).toBe(token('tile'));
  const palettes = [...PALETTES, ...PALETTES.map(quietPalette), ...OWN_PALETTES];
  const unreadable = palettes.flatMap((palette) => {
    const accents = accentProperties(palette, scheme);
    const { '--accent': accent, '--accent-deep': deep, '--accent-soft': soft } = accents;
    const { light, tones } = palette;
    const surfaces = ['paper', 'surface', 'tile'].flatMap((name) =>
      TINTS[scheme].map((share) => mixColours(accent, token(name), share)),
    );
    const texts = [token('ink'), token('muted'), accent, deep];
    return [
      [light, tones[0]],
      [light, palette.deep.light],
      [token('accent-ink'), accent],
      [token('accent-ink'), deep],
      [token('ink'), soft],
      [deep, soft],
      ...surfaces.flatMap((surface) => texts.map((text) => [text, surface] as const)),
    ].filter(([one = '', other = '']) => !(contrast(one, other) >= CONTRAST_MIN));
  });
  expect(unreadable).toEqual([]);
});

test('own palette: has the hue of the colour that was picked, and its five tones differ', () => {
  const hues = OWN_PALETTES.map(({ deep }) => hueOf(deep.light));
  const turns = hues.map((hue, index) => Math.abs(((hue - index + 540) % 360) - 180));
  expect(Math.max(...turns)).toBeLessThanOrEqual(1);
  expect(OWN_PALETTES.filter(({ tones }) => new Set(tones).size < tones.length)).toEqual([]);
  expect(hueOf('#808080')).toBe(0);
});

test('own palette: the second tone is amber beside cool hues, and teal beside warm ones', () => {
  const hues = [0, 119, 120, 300, 301].map((hue) => hueOf(ownPalette(hue).tones[4]));
  const accents = hues.map((hue) => Math.round(hue / 5) * 5);
  expect(accents).toEqual([200, 200, 75, 75, 200]);
});
