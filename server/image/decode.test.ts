import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { expect, test } from 'vitest';

import { blackPng, cameraJpeg, noise, topAndBottom, twoHalves } from '#tests/support/picture.ts';

import { decodePhoto } from './decode.ts';
import type { Picture } from './decode.ts';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>');
const NOT_A_PICTURE = { kind: 'rejected', reason: 'not_a_picture' };
const WHITE = 'rgb(255, 255, 255)';

async function decode(bytes: Uint8Array): Promise<readonly Picture[]> {
  const decoded = await decodePhoto(bytes);
  if (decoded.kind === 'rejected') throw new Error(`rejected: ${decoded.reason}`);
  return decoded.pictures;
}

/** Format, size and colour space of each picture, and the names of the metadata that it still has. */
const describePictures = (pictures: readonly Picture[]) =>
  Promise.all(
    pictures.map(async ({ bytes, sidePx }) => {
      const { format, width, height, space, ...others } = await sharp(bytes).metadata();
      const { exif, icc, xmp, iptc, comments, orientation } = others;
      const metadata = { exif, icc, xmp, iptc, comments, orientation };
      const left = Object.entries(metadata).flatMap(([name, value]) => (value ? [name] : []));
      return [sidePx, format, `${width}x${height}`, space, ...left].join(' ');
    }),
  );

const ALL_SIDES = [224, 448, 648].flatMap((side) =>
  ['jpeg', 'webp'].map((format) => `${side} ${format} ${side}x${side} srgb`),
);

/** A picture in the three formats that are read. */
const inEachFormat = (source: Sharp) =>
  Promise.all(
    (['jpeg', 'png', 'webp'] as const).map((format) => source.clone().toFormat(format).toBuffer()),
  );
const halvesPng = (width: number, height: number) => twoHalves({ width, height }).png().toBuffer();

test('decode: a JPEG, a PNG and a WebP become three square sizes in JPEG and WebP, always the same', async () => {
  for (const bytes of await inEachFormat(twoHalves({ width: 900, height: 700 }))) {
    const pictures = await decode(bytes);
    expect(await describePictures(pictures)).toEqual(ALL_SIDES);
    expect(await decode(bytes)).toEqual(pictures);
  }
});

test('decode: a camera picture of 12 megapixels is upright and has no metadata', async () => {
  const bytes = await cameraJpeg({ width: 3000, height: 4000 });
  expect((await sharp(bytes).metadata()).orientation).toBe(6);
  expect(bytes.includes('SECRETMAKE') && bytes.includes('SECRETXMP')).toBe(true);
  const pictures = await decode(bytes);
  expect(await describePictures(pictures)).toEqual(ALL_SIDES);
  for (const { bytes: made } of pictures) {
    expect(await topAndBottom(made)).toEqual(['red', 'blue']);
    const text = Buffer.from(made).toString('latin1');
    expect(text).not.toMatch(/SECRET|Exif|EXIF|GPS|XMP |ICCP|ICC_PROFILE|xmpmeta/);
  }
});

test('decode: the large size has at most 45 KB, and a picture without as many pixels has none', async () => {
  const grain = await noise({ width: 648, height: 648 }).blur(1.4).png().toBuffer();
  expect((await sharp(grain).webp({ quality: 74 }).toBuffer()).length).toBeGreaterThan(45_000);
  const large = (await decode(grain)).filter(({ sidePx }) => sidePx === 648);
  expect(large.map(({ bytes }) => bytes.length <= 45_000)).toEqual([true, true]);
  const small = await decode(await halvesPng(448, 500));
  expect(small.map(({ sidePx }) => sidePx)).toEqual([224, 224, 448, 448]);
});

test('decode: a picture of 100 x 100 is not resized, one of 99 is too small', async () => {
  const [first] = await describePictures(await decode(await halvesPng(100, 100)));
  expect(first).toBe('224 jpeg 100x100 srgb');
  const tooSmall = { kind: 'rejected', reason: 'too_small' };
  expect(await decodePhoto(await halvesPng(400, 99))).toEqual(tooSmall);
  expect(await decodePhoto(await halvesPng(99, 150))).toEqual(tooSmall);
});

test('decode: reads transparent, grey, 16-bit and CMYK pictures', async () => {
  const coloured = twoHalves({ width: 200, height: 200 });
  for (const source of [
    coloured.clone().toColourspace('b-w').jpeg(),
    coloured.clone().toColourspace('rgb16').png(),
    coloured.clone().toColourspace('cmyk').jpeg(),
  ])
    expect(await decode(await source.toBuffer())).toHaveLength(4);
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const clear = sharp({ create: { width: 200, height: 200, channels: 4, background } });
  const [first] = await decode(await clear.png().toBuffer());
  expect(await topAndBottom(first?.bytes ?? new Uint8Array())).toEqual([WHITE, WHITE]);
});

test('decode: rejects an SVG, a GIF, an AVIF, a TIFF, text, an empty file, and a picture that is cut in half', async () => {
  const source = twoHalves({ width: 200, height: 200 });
  const others = (['gif', 'avif', 'tiff'] as const).map((format) =>
    source.clone().toFormat(format),
  );
  const whole = await inEachFormat(noise({ width: 600, height: 600 }));
  for (const bytes of [
    SVG,
    ...(await Promise.all(others.map((one) => one.toBuffer()))),
    Buffer.from('GIF89a but not really'),
    Buffer.from([0xff, 0xd8, 0xff]),
    Buffer.alloc(0),
    ...whole.map((one) => one.subarray(0, Math.floor(one.length / 2))),
  ])
    expect(await decodePhoto(bytes)).toEqual(NOT_A_PICTURE);
});

test.each([
  [10_000, 'b-w'],
  [5000, 'rgb16'],
] as const)(
  'decode: a picture has at most 50 million pixels, however small its file is, of at most 200 MB: %i, %s',
  async (width, space) => {
    const above = await blackPng({ width: width + 1, height: 5000 }, space);
    expect(above.length).toBeLessThan(500_000);
    expect(await decodePhoto(above)).toEqual(NOT_A_PICTURE);
    expect((await decode(await blackPng({ width, height: 5000 }, space))).length).toBeGreaterThan(
      0,
    );
  },
);

test('decode: the coefficients of a progressive JPEG count twice', async () => {
  const size = { width: 5800, height: 5800, channels: 3, background: 'red' } as const;
  const kindOf = async (chromaSubsampling: string) => {
    const jpeg = sharp({ create: size }).jpeg({ progressive: true, chromaSubsampling });
    return (await decodePhoto(await jpeg.toBuffer())).kind;
  };
  expect([await kindOf('4:4:4'), await kindOf('4:2:0')]).toEqual(['rejected', 'pictures']);
});
