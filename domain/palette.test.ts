import { readFileSync } from 'node:fs';

import { expect, test } from 'vitest';

import { accentsOf, idPalette, mixColours, PALETTES } from './palette.ts';

const ID_COUNT = 10_000;
/** WCAG 2.2, 1.4.3. */
const CONTRAST_MIN = 4.5;
/** The shares of the accent in a surface. */
const TINTS = { light: [0], dark: [0, 0.06] };

test('palettes: all are equally frequent within 25 %', () => {
  const counts = new Map<unknown, number>();
  for (const id of Array.from({ length: ID_COUNT }, (_, index) => `user${index}`)) {
    const palette = idPalette(id);
    counts.set(palette, (counts.get(palette) ?? 0) + 1);
  }
  const expectedCount = ID_COUNT / PALETTES.length;
  expect(
    PALETTES.filter((one) => Math.abs((counts.get(one) ?? 0) / expectedCount - 1) > 0.25),
  ).toEqual([]);
});

/** Returns a token of view/tokens.css. */
function token(name: string, scheme: 'light' | 'dark'): string {
  const css = readFileSync('view/tokens.css', 'utf8').split('@media');
  const value = new RegExp(`--${name}: (#[0-9a-f]{6});`).exec(
    css[scheme === 'light' ? 0 : 1] ?? '',
  );
  return value?.[1] ?? '';
}

test.each(['light', 'dark'] as const)(
  'palettes: every pair of text and background has 4.5:1, %s',
  (scheme) => {
    const unreadable = PALETTES.flatMap((palette) => {
      const accents = accentsOf(palette, scheme);
      const { '--accent': accent, '--accent-deep': deep, '--accent-soft': soft } = accents;
      const [background, , , light] = palette.tones;
      const surfaces = ['paper', 'surface', 'tile'].flatMap((name) =>
        TINTS[scheme].map((share) => mixColours(accent, token(name, scheme), share)),
      );
      const texts = [token('ink', scheme), token('muted', scheme), accent, deep];
      return [
        [light, background],
        [light, palette.deep.light],
        [token('accent-ink', scheme), accent],
        [token('accent-ink', scheme), deep],
        [token('ink', scheme), soft],
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
