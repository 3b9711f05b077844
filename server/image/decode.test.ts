import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { expect, test } from 'vitest';

import {
  bombPng,
  deepPng,
  cameraJpeg,
  noise,
  topAndBottom,
  twoHalves,
} from '#tests/support/picture.ts';

import { decodePhoto } from './decode.ts';
import type { Decoded, Picture } from './decode.ts';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>');
const NOT_A_PICTURE = { kind: 'rejected', reason: 'not_a_picture' };

function picturesOf(decoded: Decoded): readonly Picture[] {
  if (decoded.kind === 'rejected') throw new Error(`rejected: ${decoded.reason}`);
  return decoded.pictures;
}

async function describePicture({ bytes, sidePx }: Picture) {
  const { format, width, height, space, exif, icc, xmp, iptc, comments, orientation } =
    await sharp(bytes).metadata();
  const metadata = { exif, icc, xmp, iptc, comments, orientation };
  const left = Object.entries(metadata).flatMap(([name, value]) => (value ? [name] : []));
  return { format, width, height, space, named: sidePx, left };
}

const ALL_SIDES = [224, 448, 648].flatMap((side) => {
  const made = { width: side, height: side, space: 'srgb', named: side, left: [] };
  return [
    { format: 'jpeg', ...made },
    { format: 'webp', ...made },
  ];
});
/** A picture in the three formats that are read. */
const inEachFormat = (source: Sharp) =>
  Promise.all([
    source.clone().jpeg().toBuffer(),
    source.clone().png().toBuffer(),
    source.clone().webp().toBuffer(),
  ]);

test('decode: a JPEG, a PNG and a WebP become three square sizes in JPEG and WebP', async () => {
  const source = twoHalves({ width: 900, height: 700 });
  for (const bytes of await inEachFormat(source)) {
    const pictures = picturesOf(await decodePhoto(bytes));
    expect(await Promise.all(pictures.map(describePicture))).toEqual(ALL_SIDES);
  }
});

test('decode: a camera picture of 12 megapixels is upright and has no metadata', async () => {
  const bytes = await cameraJpeg({ width: 3000, height: 4000 });
  expect((await sharp(bytes).metadata()).orientation).toBe(6);
  expect(bytes.includes('SECRETMAKE') && bytes.includes('SECRETXMP')).toBe(true);
  const pictures = picturesOf(await decodePhoto(bytes));
  expect(await Promise.all(pictures.map(describePicture))).toEqual(ALL_SIDES);
  for (const { bytes: made } of pictures) {
    expect(await topAndBottom(made)).toEqual(['red', 'blue']);
    const text = Buffer.from(made).toString('latin1');
    expect(text).not.toMatch(/SECRET|Exif|EXIF|GPS|XMP |ICCP|ICC_PROFILE|xmpmeta/);
  }
});

test('decode: the large size has at most 45 KB, and a picture without as many pixels has none', async () => {
  const grain = await noise({ width: 648, height: 648 }).blur(1.4).png().toBuffer();
  expect((await sharp(grain).webp({ quality: 74 }).toBuffer()).length).toBeGreaterThan(45_000);
  const large = picturesOf(await decodePhoto(grain)).filter(({ sidePx }) => sidePx === 648);
  expect(large.map(({ bytes }) => bytes.length <= 45_000)).toEqual([true, true]);
  const small = await twoHalves({ width: 448, height: 500 }).png().toBuffer();
  expect(picturesOf(await decodePhoto(small)).map(({ sidePx }) => sidePx)).toEqual([
    224, 224, 448, 448,
  ]);
});

test('decode: is deterministic', async () => {
  const bytes = await twoHalves({ width: 500, height: 500 }).png().toBuffer();
  expect(await decodePhoto(bytes)).toEqual(await decodePhoto(bytes));
});

test('decode: a picture of 100 x 100 is not resized, one of 99 is too small', async () => {
  const smallest = await twoHalves({ width: 100, height: 100 }).png().toBuffer();
  const [first] = picturesOf(await decodePhoto(smallest));
  expect(first && (await describePicture(first)).width).toBe(100);
  for (const [width, height] of [
    [400, 99],
    [150, 99],
    [99, 150],
  ] as const) {
    const under = await twoHalves({ width, height }).png().toBuffer();
    expect(await decodePhoto(under)).toEqual({ kind: 'rejected', reason: 'too_small' });
  }
});

test('decode: reads transparent, grey, 16-bit and CMYK pictures', async () => {
  const clear = sharp({
    create: { width: 200, height: 200, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } },
  });
  const coloured = twoHalves({ width: 200, height: 200 });
  const sources = [
    await clear.png().toBuffer(),
    await coloured.clone().toColourspace('b-w').jpeg().toBuffer(),
    await coloured.clone().toColourspace('rgb16').png().toBuffer(),
    await coloured.clone().toColourspace('cmyk').jpeg().toBuffer(),
  ];
  for (const bytes of sources) {
    const pictures = picturesOf(await decodePhoto(bytes));
    expect(pictures.map(({ format }) => format)).toEqual(['jpg', 'webp', 'jpg', 'webp']);
  }
  const [onWhite] = picturesOf(await decodePhoto(sources[0] ?? Buffer.alloc(0)));
  expect(await topAndBottom(onWhite?.bytes ?? new Uint8Array())).toEqual([
    'rgb(255, 255, 255)',
    'rgb(255, 255, 255)',
  ]);
});

test('decode: rejects an SVG, a GIF, an AVIF, a TIFF, text and an empty file', async () => {
  const source = twoHalves({ width: 200, height: 200 });
  const rejected = [
    SVG,
    await source.clone().gif().toBuffer(),
    await source.clone().avif().toBuffer(),
    await source.clone().tiff().toBuffer(),
    Buffer.from('GIF89a but not really'),
    Buffer.from([0xff, 0xd8, 0xff]),
    Buffer.alloc(0),
  ];
  for (const bytes of rejected) expect(await decodePhoto(bytes)).toEqual(NOT_A_PICTURE);
});

test('decode: rejects a picture that is cut in half', async () => {
  const source = noise({ width: 600, height: 600 });
  for (const whole of await inEachFormat(source)) {
    const half = whole.subarray(0, Math.floor(whole.length / 2));
    expect(await decodePhoto(half)).toEqual(NOT_A_PICTURE);
  }
});

test('decode: a picture has at most 50 million pixels, however small its file is', async () => {
  const most = bombPng({ width: 10_000, height: 5_000 });
  expect((await decodePhoto(most)).kind).toBe('pictures');
  const more = bombPng({ width: 10_020, height: 5_000 });
  expect(more.length).toBeLessThan(10_000);
  expect(await decodePhoto(more)).toEqual(NOT_A_PICTURE);
});

test('decode: rejects a picture of more than 200 MB of pixels, also at 16 bits a sample', async () => {
  const accepted = await decodePhoto(deepPng({ width: 5000, height: 5000 }));
  const rejected = await decodePhoto(deepPng({ width: 5001, height: 5000 }));
  expect([accepted.kind, rejected]).toEqual(['pictures', NOT_A_PICTURE]);
});

test('decode: the coefficients of a progressive JPEG count twice', async () => {
  const size = { width: 5800, height: 5800, channels: 3, background: 'red' } as const;
  const full = sharp({ create: size }).jpeg({ progressive: true, chromaSubsampling: '4:4:4' });
  const subsampled = sharp({ create: size }).jpeg({ progressive: true });
  expect((await decodePhoto(await full.toBuffer())).kind).toBe('rejected');
  expect((await decodePhoto(await subsampled.toBuffer())).kind).toBe('pictures');
});
