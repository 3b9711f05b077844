import { convertRgbToOklab } from 'culori/fn';
import sharp from 'sharp';
import type { OutputInfo } from 'sharp';

import { GREY_PHOTO } from '#domain/appearance.ts';
import { PALETTES } from '#domain/palette.ts';

/** The photo is reduced to a grid, whose outer cells are the ring. */
const GRID_SIDE = 32;
const RING_CELLS = 4;
const CHANNELS = 3;
const CHANNEL_MAX = 255;
/** Walls behind people are pale, so their chroma in OKLab counts threefold, up to that of the tones. */
const CHROMA_GAIN = 3;
const CHROMA_MAX = 0.11;
/** White, grey and off-white walls have less chroma. So has the grey palette, which no photo gets. */
const CHROMA_MIN = 0.02;
/** Hues are summed in steps of 15 degrees, weighted by their chroma. */
const HUE_STEPS = 24;

export interface Square {
  readonly data: Buffer;
  readonly info: OutputInfo;
}

interface Chroma {
  readonly a: number;
  readonly b: number;
}

/**
 * Returns the number of the palette that is nearest to the strongest hue of the photo's outer ring, or
 * GREY_PHOTO. A mean of all hues would make grey of sky and leaves.
 */
export async function ringPalette({ data, info }: Square): Promise<number> {
  const pixels = await sharp(data, { raw: info })
    .resize(GRID_SIDE, GRID_SIDE, { fit: 'fill' })
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  const ring: Chroma[] = [];
  for (let cell = 0; cell < GRID_SIDE ** 2; cell += 1) {
    const [x, y] = [cell % GRID_SIDE, Math.floor(cell / GRID_SIDE)];
    if (Math.min(x, y, GRID_SIDE - 1 - x, GRID_SIDE - 1 - y) >= RING_CELLS) continue;
    ring.push(chromaOf(pixels.subarray(cell * CHANNELS)));
  }
  return nearestPalette(strongestChroma(ring));
}

const strength = ({ a, b }: Chroma) => Math.hypot(a, b);

/** Returns the mean of the cells whose hues are within 22 degrees, where the sum of their chroma is largest. */
function strongestChroma(ring: readonly Chroma[]): Chroma {
  const steps = Array.from({ length: HUE_STEPS }, (): Chroma[] => []);
  for (const cell of ring) {
    const turn = Math.atan2(cell.b, cell.a) / (2 * Math.PI) + 1;
    steps[Math.floor(turn * HUE_STEPS) % HUE_STEPS]?.push(cell);
  }
  const groups = steps.map((step, at) => [
    ...(steps.at(at - 1) ?? []),
    ...step,
    ...(steps[(at + 1) % HUE_STEPS] ?? []),
  ]);
  const sums = groups.map((group) => group.reduce((sum, cell) => sum + strength(cell), 0));
  const largest = Math.max(...sums);
  // If few cells have this hue, or only pale ones, the ring counts as grey.
  if (largest / ring.length < CHROMA_MIN) return { a: 0, b: 0 };
  const strongest = groups[sums.indexOf(largest)] ?? [];
  const mean = (channel: keyof Chroma) =>
    strongest.reduce((sum, cell) => sum + cell[channel], 0) / strongest.length;
  return { a: mean('a'), b: mean('b') };
}

const TONES = PALETTES.map(({ tones: [, tone] }) => chromaOf(Buffer.from(tone.slice(1), 'hex')));

function nearestPalette({ a, b }: Chroma): number {
  const chroma = Math.hypot(a, b);
  if (chroma < CHROMA_MIN) return GREY_PHOTO;
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
