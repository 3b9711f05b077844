import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { blackPng, cameraJpeg, noise, topAndBottom, twoHalves } from '#tests/support/picture.ts';

import { decodePhoto } from './decode.ts';
import type { Picture } from './decode.ts';
import { createDecoder } from './decoder.ts';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>');
const NOT_A_PICTURE = { kind: 'rejected', reason: 'not_a_picture' };
const WHITE = 'rgb(255, 255, 255)';

async function picturesOf(bytes: Uint8Array): Promise<readonly Picture[]> {
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

type Format = Parameters<Sharp['toFormat']>[0];
const inFormats = (source: Sharp, formats: readonly Format[]) =>
  Promise.all(formats.map((format) => source.clone().toFormat(format).toBuffer()));
const READ = ['jpeg', 'png', 'webp'] as const;
const OTHERS = ['gif', 'avif', 'tiff'] as const;
const halvesPng = (width: number, height: number) => twoHalves({ width, height }).png().toBuffer();

test('decode: a JPEG, a PNG and a WebP become three square sizes in JPEG and WebP, always the same', async () => {
  for (const bytes of await inFormats(twoHalves({ width: 900, height: 700 }), READ)) {
    const pictures = await picturesOf(bytes);
    expect(await describePictures(pictures)).toEqual(ALL_SIDES);
    expect(await picturesOf(bytes)).toEqual(pictures);
  }
});

test('decode: a camera picture of 12 megapixels is upright and has no metadata', async () => {
  const bytes = await cameraJpeg({ width: 3000, height: 4000 });
  expect((await sharp(bytes).metadata()).orientation).toBe(6);
  expect(bytes.includes('SECRETMAKE') && bytes.includes('SECRETXMP')).toBe(true);
  const pictures = await picturesOf(bytes);
  expect(await describePictures(pictures)).toEqual(ALL_SIDES);
  for (const { bytes: made } of pictures) {
    expect(await topAndBottom(made)).toEqual(['red', 'blue']);
    const text = Buffer.from(made).toString('latin1');
    expect(text).not.toMatch(/SECRET|Exif|EXIF|GPS|XMP |ICCP|ICC_PROFILE|xmpmeta/);
  }
});

test('decode: the large size has at most 45 KB', async () => {
  const grain = await noise({ width: 648, height: 648 }).blur(1.4).png().toBuffer();
  expect((await sharp(grain).webp({ quality: 74 }).toBuffer()).length).toBeGreaterThan(45_000);
  const large = (await picturesOf(grain)).filter(({ sidePx }) => sidePx === 648);
  expect(large.map(({ bytes }) => bytes.length <= 45_000)).toEqual([true, true]);
});

test('decode: a picture of 100 x 100 is not resized, one of 99 is too small', async () => {
  const pictures = await describePictures(await picturesOf(await halvesPng(100, 100)));
  expect(pictures).toEqual(ALL_SIDES.map((one) => one.replace(/\d+x\d+/, '100x100')));
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
    expect(await picturesOf(await source.toBuffer())).toHaveLength(6);
  const background = { r: 0, g: 0, b: 0, alpha: 0 };
  const clear = sharp({ create: { width: 200, height: 200, channels: 4, background } });
  const [first] = await picturesOf(await clear.png().toBuffer());
  expect(await topAndBottom(first?.bytes ?? new Uint8Array())).toEqual([WHITE, WHITE]);
});

test('decode: rejects an SVG, a GIF, an AVIF, a TIFF, text, an empty file, and a picture that is cut in half', async () => {
  const source = twoHalves({ width: 200, height: 200 });
  const whole = await inFormats(noise({ width: 600, height: 600 }), READ);
  for (const bytes of [
    SVG,
    ...(await inFormats(source, OTHERS)),
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
] as const)('decode: at most 50 million pixels of at most 200 MB: %i, %s', async (width, space) => {
  const above = await blackPng({ width: width + 1, height: 5000 }, space);
  expect(above.length).toBeLessThan(500_000);
  expect(await decodePhoto(above)).toEqual(NOT_A_PICTURE);
  expect(await picturesOf(await blackPng({ width, height: 5000 }, space))).toHaveLength(6);
});

test('decode: the coefficients of a progressive JPEG count twice', async () => {
  const size = { width: 5800, height: 5800, channels: 3, background: 'red' } as const;
  const kindOf = async (chromaSubsampling: string) => {
    const jpeg = sharp({ create: size }).jpeg({ progressive: true, chromaSubsampling });
    return (await decodePhoto(await jpeg.toBuffer())).kind;
  };
  expect([await kindOf('4:4:4'), await kindOf('4:2:0')]).toEqual(['rejected', 'pictures']);
});

const ROOT = join(import.meta.dirname, '../../..');
const FOLDER = `.cache/photo-worker-${process.pid}`;
const NO_PICTURES = { kind: 'pictures', pictures: [] };
const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfterSeconds: 5 };

function writeProgram(source: string): string {
  const path = join(ROOT, FOLDER, `${randomUUID()}.mjs`);
  writeFileSync(path, source);
  return path;
}

function openDecoder(path: string, timeoutMs?: number) {
  const decoder = createDecoder(path, timeoutMs);
  onTestFinished(() => decoder.close());
  return {
    decoder,
    decode: (bytes: Uint8Array | number) =>
      decoder.decode(async () => (typeof bytes === 'number' ? Buffer.from([bytes]) : bytes)),
  };
}

/** A process that runs `source` with the bytes of each photo, and replies that it has no pictures. */
const openFake = (source: string, timeoutMs?: number) =>
  openDecoder(
    writeProgram(`process.on('message', ({ bytes }) => {
      ${source}
      process.send(${JSON.stringify(NO_PICTURES)});
    });`),
    timeoutMs,
  );

beforeAll(async () => {
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  type Build = { buildDecodeWorker: (outDir: string) => Promise<string> };
  const { buildDecodeWorker } = (await import(join(ROOT, 'scripts/decode-worker.mjs'))) as Build;
  await buildDecodeWorker(FOLDER);
});
afterAll(() => rmSync(join(ROOT, FOLDER), { recursive: true, force: true }));

test('decoder: no code in its process can open anything but JPEG, PNG and WebP', async () => {
  const source = twoHalves({ width: 120, height: 120 });
  const files = await inFormats(source, [...READ, ...OTHERS]);
  const probe = writeProgram(`import './decode-worker.js';
    import sharp from 'sharp';
    process.removeAllListeners('message');
    process.on('message', ({ bytes }) =>
      sharp(bytes).metadata().then(({ format }) => process.send(format), () => process.send('none')),
    );`);
  const { decode } = openDecoder(probe);
  const opened = await Promise.all([...files, SVG].map(decode));
  expect(opened).toEqual([...READ, ...Array(4).fill('none')]);
});

test('decoder: a process that crashes or cannot start fails its own photo, not the next one', async () => {
  const { decode } = openFake('if (bytes[0] === 0) process.abort();');
  await expect(decode(0)).rejects.toMatchObject(UNAVAILABLE);
  expect(await decode(1)).toEqual(NO_PICTURES);
  await expect(openDecoder(join(ROOT, FOLDER, 'missing.mjs')).decode(1)).rejects.toMatchObject(
    UNAVAILABLE,
  );
});

test('decoder: a process that hangs is killed, and the next photo in the queue is decoded', async () => {
  const { decode } = openFake('if (bytes[0] === 0) for (;;);', 10_000);
  const results = await Promise.allSettled([0, 0, 1].map(decode));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('decoder: 50 photos run or wait, one more is rejected, and those that wait are not read', async () => {
  const { decoder } = openFake('return;');
  const read = vi.fn(async () => Buffer.from([1]));
  const pending = Array.from({ length: 50 }, () => decoder.decode(read));
  const settled = Promise.allSettled(pending);
  await expect(decoder.decode(read)).rejects.toMatchObject({ code: 'unavailable' });
  expect(read).toHaveBeenCalledTimes(2);
  decoder.close();
  expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
});

test('decoder: a process does not get the environment of the server', async () => {
  const report = "process.on('message', () => process.send(Object.keys(process.env).toSorted()));";
  const { decode } = openDecoder(writeProgram(report));
  expect(await decode(1)).toEqual(['NODE_ENV', 'VIPS_BLOCK_UNTRUSTED']);
});

const onLinux = test.runIf(process.platform === 'linux');

onLinux('decoder: the system ends a process that uses more than 512 MB', async () => {
  const { decode } = openFake(`const blocks = [];
      for (let n = 0; n < bytes[0] * 10; n += 1) blocks.push(Buffer.alloc(10_000_000, 1));`);
  await expect(decode(8)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await decode(2)).toEqual(NO_PICTURES);
});
