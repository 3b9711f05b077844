import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { HUE_MAX } from './appearance.ts';
import { CONTRAST_MIN, contrast, mixColours } from './colour.ts';
import { hueOf, ownPalette } from './own-palette.ts';
import { accentsOf, PALETTES, quietPalette, TILE } from './palette.ts';

const OWN_PALETTES = Array.from({ length: HUE_MAX + 1 }, (_, hue) => ownPalette(hue));
/** The shares of the accent in a surface. */
const TINTS = { light: [0], dark: [0, 0.06] };

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

test('own palette: has the hue of the colour that was picked, and its five tones differ', () => {
  const hues = OWN_PALETTES.map(({ deep }) => hueOf(deep.light));
  const turns = hues.map((hue, index) => Math.abs(((hue - index + 540) % 360) - 180));
  expect(Math.max(...turns)).toBeLessThanOrEqual(1);
  expect(OWN_PALETTES.filter(({ tones }) => new Set(tones).size < tones.length)).toEqual([]);
  expect(hueOf('#808080')).toBe(0);
});
