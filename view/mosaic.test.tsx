import { brotliCompressSync, gzipSync } from 'node:zlib';

import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';

import { Mosaic } from './mosaic.tsx';

const MOSAIC_SIZE_BYTES_MAX = 700;

test('mosaic: is smaller than 700 bytes compressed', () => {
  const sizes = Array.from({ length: 500 }, (_, index) => {
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
