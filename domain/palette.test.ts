import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { HUE_MAX } from './appearance.ts';
import { CONTRAST_MIN, contrast, mixColours } from './colour.ts';
import { hueOf, ownPalette } from './own-palette.ts';
import { accentsOf, idPalette, PALETTES, quietPalette, TILE } from './palette.ts';

const OWN_PALETTES = Array.from({ length: HUE_MAX + 1 }, (_, hue) => ownPalette(hue));
/** The shares of the accent in a surface. */
const TINTS = { light: [0], dark: [0, 0.06] };

test('palettes: all are equally frequent within 25 %', () => {
  const ids = Array.from({ length: 10_000 }, (_, index) => `user${index}`);
  const found = ids.map(idPalette);
  const counts = PALETTES.map((palette) => found.filter((one) => one === palette).length);
  const even = ids.length / PALETTES.length;
  const uneven = counts.filter((count) => Math.abs(count / even - 1) > 0.25);
  expect(uneven).toEqual([]);
});

test.each(['light', 'dark'] as const)(
  'palettes: every pair of text and background has 4.5:1, %s',
  (scheme) => {
    const css = readFileSync('view/tokens.css', 'utf8').split('@media')[scheme === 'light' ? 0 : 1];
    const token = (name: string) =>
      new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(css ?? '')?.[1] ?? '';
    expect(TILE[scheme]).toBe(token('tile'));
    const palettes = [...PALETTES, ...PALETTES.map(quietPalette), ...OWN_PALETTES];
    const unreadable = palettes.flatMap((palette) => {
      const accents = accentsOf(palette, scheme);
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
  },
);

test('palettes: no card changes its colours', () => {
  expect(PALETTES.map(({ tones }) => tones.join(' '))).toMatchInlineSnapshot(`
    [
      "#6e3428 #b0593d #e0a577 #f4e3cd #2f4a4f",
      "#12454e #1f6f78 #78b5ac #dceae0 #e5a04b",
      "#3b472a #6c7943 #b3b27a #eee8d3 #c8663a",
      "#242b57 #3f4a8c #8f98cc #e5e5f2 #f0b35a",
      "#4a2540 #7d4468 #c08da8 #f2e2e9 #e2a03f",
      "#28343f #4b6072 #96a9b7 #e4e9eb #d9734e",
      "#6d5230 #b48d52 #e0c795 #f7f0df #3c5a5e",
      "#173f35 #2f6b55 #86b291 #e1ebdb #e7b24c",
      "#722b3a #b35360 #e2a29b #f8e6df #31424f",
      "#15202f #2c4360 #648aa9 #d2e0e8 #e0704a",
      "#7a4212 #c97d1f #edbc66 #fbeecf #2e4656",
      "#45413c #777067 #b9b1a4 #eee9e0 #b5472b",
    ]
  `);
});

test('own palette: has the hue of the colour that was picked, and its five tones differ', () => {
  const hues = OWN_PALETTES.map(({ deep }) => hueOf(deep.light));
  const turns = hues.map((hue, index) => Math.abs(((hue - index + 540) % 360) - 180));
  expect(Math.max(...turns)).toBeLessThanOrEqual(1);
  expect(OWN_PALETTES.filter(({ tones }) => new Set(tones).size < tones.length)).toEqual([]);
  expect(hueOf('#808080')).toBe(0);
});
