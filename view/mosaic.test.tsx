import { brotliCompressSync, gzipSync } from 'node:zlib';

import { renderToStaticMarkup } from 'react-dom/server';
import sharp from 'sharp';
import { expect, test } from 'vitest';

import { BAND_GRID } from '#domain/mosaic.ts';

import { Mosaic } from './mosaic.tsx';

test('mosaic: is smaller than 700 bytes compressed, hidden from screen readers, and needs no style attribute', () => {
  for (let index = 0; index < 150; index += 1) {
    const svg = renderToStaticMarkup(<Mosaic seed={`user${index}`} />);
    const size = Math.max(brotliCompressSync(svg).length, gzipSync(svg).length);
    expect(size).toBeLessThan(700);
    expect(svg).toMatch(/^<svg class="mosaic" viewBox="0 0 18 6" [^>]*aria-hidden="true">/);
    expect(svg).not.toContain('style=');
  }
});

/** The largest difference of a colour channel, of 255, that nobody sees. */
const DIFFERENCE_MAX = 3;
/** Points on the edges of tiles, as shares of an edge. No shape ends in a tip there. */
const SHARES = [0.3, 0.7];

/** Returns whether four pixels in a row contain a thin line of another colour between two equal colours. */
function isHairline([first = [], ...others]: readonly (readonly number[])[]): boolean {
  const differences = others.map((colour) =>
    Math.max(...colour.map((value, channel) => Math.abs(value - (first[channel] ?? 0)))),
  );
  return differences.at(-1) === 0 && Math.max(...differences) > DIFFERENCE_MAX;
}

// At these widths, tiles do not begin at whole pixels.
const WIDTHS = [725, 787, 811, 975, 1081];

test.each(WIDTHS)('mosaic: has no hairlines between tiles at %i px', async (width) => {
  const tilePx = width / BAND_GRID.columns;
  const size = `width="${width}" height="${Math.ceil(tilePx * BAND_GRID.rows)}"`;
  const svg = renderToStaticMarkup(<Mosaic seed={`user${width}`} />);
  const sized = svg.replace('<svg ', `<svg xmlns="http://www.w3.org/2000/svg" ${size} `);
  const image = await sharp(Buffer.from(sized)).raw().toBuffer({ resolveWithObject: true });
  const colourAt = (x: number, y: number) => {
    const start = (Math.round(y) * image.info.width + Math.round(x)) * image.info.channels;
    return [...image.data.subarray(start, start + 3)];
  };
  const lines: string[] = [];
  const check = (column: number, row: number, [across, down]: readonly [number, number]) => {
    const [x, y] = [column * tilePx, row * tilePx];
    const colours = [-2, -1, 0, 1].map((step) => colourAt(x + step * across, y + step * down));
    if (isHairline(colours)) lines.push(`tile ${column} ${row}`);
  };
  for (let column = 1; column < BAND_GRID.columns; column += 1)
    for (let row = 1; row < BAND_GRID.rows; row += 1)
      for (const share of SHARES) {
        check(column, row - share, [1, 0]);
        check(column - share, row, [0, 1]);
      }
  expect(lines).toEqual([]);
});
