import { brotliCompressSync, gzipSync } from 'node:zlib';

import { renderToStaticMarkup } from 'react-dom/server';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { BAND_GRID } from '#domain/mosaic.ts';

import { Mosaic } from './mosaic.tsx';

const MOSAIC_SIZE_BYTES_MAX = 700;

test('mosaic: is smaller than 700 bytes compressed', () => {
  const sizes = Array.from({ length: 150 }, (_, index) => {
    const svg = renderToStaticMarkup(<Mosaic seed={`user${index}`} />);
    return Math.max(brotliCompressSync(svg).length, gzipSync(svg).length);
  });
  expect(sizes.filter((size) => size >= MOSAIC_SIZE_BYTES_MAX)).toEqual([]);
});

test('mosaic: is hidden from screen readers and needs no style attribute', () => {
  const svg = renderToStaticMarkup(<Mosaic seed="7Hq2mXvB9kTzR4cW" />);
  expect(svg).toMatch(/^<svg class="mosaic" viewBox="0 0 18 6" [^>]*aria-hidden="true">/);
  expect(svg).not.toContain('style=');
});

/** Widths in device pixels whose tiles do not begin at whole pixels. */
const FRACTIONAL_WIDTHS_PX = [725, 787, 811, 975, 1081];
/** The largest invisible difference of a colour's channel, of 255. */
const DIFFERENCE_MAX = 3;
/** Points on the edges of tiles where no shape has its tip, as shares of an edge. */
const SHARES = [0.3, 0.7];

type Colour = readonly number[];

/** Renders a mosaic; returns a function that returns the colours of four pixels across an edge at a point. */
async function renderPixels(seed: string, widthPx: number) {
  const heightPx = Math.ceil((widthPx * BAND_GRID.rows) / BAND_GRID.columns);
  const svg = renderToStaticMarkup(<Mosaic seed={seed} />).replace(
    '<svg ',
    `<svg xmlns="http://www.w3.org/2000/svg" width="${widthPx}" height="${heightPx}" `,
  );
  const { data, info } = await sharp(Buffer.from(svg)).raw().toBuffer({ resolveWithObject: true });
  const colourAt = (x: number, y: number): Colour => {
    const start = (Math.round(y) * info.width + Math.round(x)) * info.channels;
    return [...data.subarray(start, start + 3)];
  };
  return (x: number, y: number, isAcross: boolean) =>
    [-2, -1, 0, 1].map((step) => (isAcross ? colourAt(x + step, y) : colourAt(x, y + step)));
}

/** Whether a thin line of another colour is between two equal colours. */
function isHairline([first = [], ...others]: readonly Colour[]): boolean {
  const differences = others.map((colour) =>
    Math.max(...colour.map((value, channel) => Math.abs(value - (first[channel] ?? 0)))),
  );
  return differences.at(-1) === 0 && Math.max(...differences) > DIFFERENCE_MAX;
}

test('mosaic: has no hairlines between tiles at fractional sizes', async () => {
  const lines: string[] = [];
  for (const [index, widthPx] of FRACTIONAL_WIDTHS_PX.entries()) {
    const coloursAround = await renderPixels(`user${index}`, widthPx);
    const tilePx = widthPx / BAND_GRID.columns;
    const check = (x: number, y: number, isAcross: boolean) => {
      const colours = coloursAround(x * tilePx, y * tilePx, isAcross);
      if (isHairline(colours)) lines.push(`user${index}, ${widthPx} px, tile ${x} ${y}`);
    };
    for (let column = 1; column < BAND_GRID.columns; column += 1) {
      for (let row = 1; row < BAND_GRID.rows; row += 1) {
        for (const share of SHARES) {
          check(column, row - share, true);
          check(column - share, row, false);
        }
      }
    }
  }
  expect(lines).toEqual([]);
});
