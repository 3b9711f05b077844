import { convertRgbToOklab } from 'culori/fn';
import sharp from 'sharp';

import { NO_HUE } from '#domain/appearance.ts';
import { PALETTES } from '#domain/palette.ts';

/** The photo is reduced to a grid, whose outer cells are the ring. */
const GRID_SIDE = 32;
const RING_CELLS = 4;
const CHANNELS = 3;
const CHANNEL_MAX = 255;
/** In OKLab. The walls behind people are pale, so their colour counts threefold, up to that of the tones. */
const CHROMA_GAIN = 3;
const CHROMA_MAX = 0.11;
/** White, grey and off-white walls have less, and so has the grey palette, which no photo gets. */
const CHROMA_MIN = 0.02;

interface Square {
  readonly data: Buffer;
  readonly info: {
    readonly width: number;
    readonly height: number;
    readonly channels: 1 | 2 | 3 | 4;
  };
}

/** Hue and strength of a colour, as a point of OKLab's plane. */
interface Chroma {
  readonly a: number;
  readonly b: number;
}

/** Returns the number of the palette that is nearest to the outer ring of a photo; NO_HUE if that is grey. */
export async function ringPalette({ data, info }: Square): Promise<number> {
  const { width, height, channels } = info;
  const pixels = await sharp(data, { raw: { width, height, channels } })
    .resize(GRID_SIDE, GRID_SIDE, { fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  const sum = { a: 0, b: 0, count: 0 };
  for (let cell = 0; cell < GRID_SIDE ** 2; cell += 1) {
    const [x, y] = [cell % GRID_SIDE, Math.floor(cell / GRID_SIDE)];
    if (Math.min(x, y, GRID_SIDE - 1 - x, GRID_SIDE - 1 - y) >= RING_CELLS) continue;
    const { a, b } = chromaOf(pixels.subarray(cell * CHANNELS));
    sum.a += a;
    sum.b += b;
    sum.count += 1;
  }
  return nearestPalette({ a: sum.a / sum.count, b: sum.b / sum.count });
}

const TONES = PALETTES.map(({ tones: [, tone] }) => chromaOf(Buffer.from(tone.slice(1), 'hex')));

function nearestPalette({ a, b }: Chroma): number {
  const chroma = Math.hypot(a, b);
  if (chroma < CHROMA_MIN) return NO_HUE;
  const scale = Math.min(CHROMA_GAIN, CHROMA_MAX / chroma);
  const distances = TONES.map((tone) =>
    Math.hypot(tone.a, tone.b) < CHROMA_MIN
      ? Infinity
      : Math.hypot(tone.a - a * scale, tone.b - b * scale),
  );
  return distances.indexOf(Math.min(...distances));
}

function chromaOf([r = 0, g = 0, b = 0]: Uint8Array): Chroma {
  return convertRgbToOklab({ r: r / CHANNEL_MAX, g: g / CHANNEL_MAX, b: b / CHANNEL_MAX });
}
