import { deflateSync, crc32 as zlibCrc32 } from 'node:zlib';

import sharp from 'sharp';

interface Look {
  readonly width: number;
  readonly height: number;
}

/** A photo-like picture: its top half red, its bottom half blue, so that a test sees which way is up. */
export function twoHalves({ width, height }: Look) {
  const half = Math.floor(height / 2);
  return sharp({ create: { width, height, channels: 3, background: '#0000ff' } }).composite([
    {
      input: { create: { width, height: half, channels: 3, background: '#ff0000' } },
      left: 0,
      top: 0,
    },
  ]);
}
