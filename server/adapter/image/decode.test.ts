import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

import sharp from 'sharp';
import type { Sharp } from 'sharp';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import { blackPng, cameraJpeg, noise, topAndBottom, twoHalves } from '#tests/support/picture.ts';

import { decodePhoto } from './decode.ts';
import type { Picture } from './decode.ts';
import { createDecoder } from './decoder.ts';

const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>');
const rejected = (reason: string) => ({ kind: 'rejected', reason });
const NOT_A_PICTURE = rejected('not_a_picture');
const HEIC = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'.padEnd(80, '\0'), 'latin1');
const AVIF = Buffer.from('\0\0\0\x18ftypavif\0\0\0\0mif1avif'.padEnd(80, '\0'), 'latin1');
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
  const tooSmall = rejected('too_small');
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

test('decode: rejects an SVG, a GIF, an AVIF, a TIFF, text and an empty file, and says that a HEIC photo is one', async () => {
  const source = twoHalves({ width: 200, height: 200 });
  for (const bytes of [
    SVG,
    AVIF,
    ...(await inFormats(source, OTHERS)),
    Buffer.from('GIF89a but not really'),
    Buffer.alloc(0),
  ])
    expect(await decodePhoto(bytes)).toEqual(NOT_A_PICTURE);
  expect(await decodePhoto(HEIC)).toEqual(rejected('heic'));
  expect(await decodePhoto(Buffer.from([0xff, 0xd8, 0xff]))).toEqual(rejected('damaged'));
});

test('decode: a picture that is cut off anywhere is damaged', async () => {
  const formats = await inFormats(noise({ width: 300, height: 300 }), READ);
  const progressive = await noise({ width: 300, height: 300 })
    .jpeg({ progressive: true })
    .toBuffer();
  for (const whole of [...formats, progressive])
    for (const share of [0.5, 0.9, 0.99]) {
      const cut = whole.subarray(0, Math.floor(whole.length * share));
      expect([share, await decodePhoto(cut)]).toEqual([share, rejected('damaged')]);
    }
});

const START_OF_FRAME = Buffer.from([0xff, 0xc0]);
const START_OF_SCAN = Buffer.from([0xff, 0xda]);
/** The last of the three parameters of a scan of three components, in bytes from its marker. */
const SCAN_PARAMETERS_OFFSET = 13;

test('decode: accepts a JPEG as phones write it: an odd scan header, stray bytes, bytes after the end, or no end', async () => {
  const whole = await twoHalves({ width: 240, height: 240 }).jpeg().toBuffer();
  const odd = Buffer.from(whole);
  odd[odd.indexOf(START_OF_SCAN) + SCAN_PARAMETERS_OFFSET] = 1;
  const frame = whole.indexOf(START_OF_FRAME);
  const stray = [whole.subarray(0, frame), Buffer.from('stray'), whole.subarray(frame)];
  for (const bytes of [
    odd,
    Buffer.concat(stray),
    Buffer.concat([whole, Buffer.from('SEFT')]),
    whole.subarray(0, -1),
    whole.subarray(0, -2),
  ]) {
    const [first] = await picturesOf(bytes);
    expect(await topAndBottom(first?.bytes ?? new Uint8Array())).toEqual(['red', 'blue']);
  }
});

/** A PNG with a chunk between its header and its pixels. */
function withChunk(png: Buffer, type: string, data: readonly number[]): Buffer {
  const chunk = Buffer.concat([Buffer.from(type, 'latin1'), Buffer.from(data)]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(chunk));
  const at = png.indexOf('IHDR') + 4 + 13 + 4;
  return Buffer.concat([png.subarray(0, at), length, chunk, checksum, png.subarray(at)]);
}

const uint32 = (value: number) => [24, 16, 8, 0].map((bits) => (value >>> bits) & 255);
const LINEAR = uint32(100_000);
const DISPLAY_P3 = [12, 13, 0, 1];
const PQ = [9, 16, 0, 1];
/** Adobe RGB: its green is greener. */
const ADOBE = [31_270, 32_900, 64_000, 33_000, 21_000, 71_000, 15_000, 6_000].flatMap(uint32);

// The colours that Chromium draws.
test.each([
  ['gAMA of linear light', 'srgb', [['gAMA', LINEAR]], [229, 133, 110]],
  ['gAMA of sRGB', 'srgb', [['gAMA', uint32(45_455)]], [200, 60, 40]],
  ['grey of linear light', 'b-w', [['gAMA', LINEAR]], [176, 176, 176]],
  ['cICP of Display P3', 'srgb', [['cICP', DISPLAY_P3]], [217, 42, 23]],
  [
    'cICP before gAMA',
    'srgb',
    [
      ['cICP', DISPLAY_P3],
      ['gAMA', LINEAR],
    ],
    [217, 42, 23],
  ],
  [
    'gAMA and cHRM',
    'srgb',
    [
      ['gAMA', uint32(45_455)],
      ['cHRM', ADOBE],
    ],
    [231, 57, 34],
  ],
  [
    'sRGB before gAMA',
    'srgb',
    [
      ['sRGB', [0]],
      ['gAMA', LINEAR],
    ],
    [200, 60, 40],
  ],
  ['a curve that is not known', 'srgb', [['cICP', PQ]], [200, 60, 40]],
] as const)(
  'decode: reads the colours of a PNG as a browser does: %s',
  async (...[, space, chunks, expected]) => {
    const background = { r: 200, g: 60, b: 40 };
    const create = { width: 200, height: 200, channels: 3, background } as const;
    let png: Buffer = await sharp({ create }).toColourspace(space).png().toBuffer();
    for (const [type, data] of chunks.toReversed()) png = withChunk(png, type, data);
    const [first] = await picturesOf(png);
    const pixels = await sharp(first?.bytes).toColourspace('srgb').raw().toBuffer();
    const near = [...pixels.subarray(0, 3)].map(
      (value, at) => Math.abs(value - (expected[at] ?? 0)) <= 3,
    );
    expect([[...pixels.subarray(0, 3)], near]).toEqual([expect.anything(), [true, true, true]]);
  },
);

test.each([
  [8192, 'b-w'],
  [4096, 'rgb16'],
] as const)('decode: at most 8192 x 6144 pixels of 4 bytes: %i, %s', async (width, space) => {
  const above = await blackPng({ width: width + 1, height: 6144 }, space);
  expect(above.length).toBeLessThan(500_000);
  expect(await decodePhoto(above)).toEqual(rejected('too_many_pixels'));
  expect(await picturesOf(await blackPng({ width, height: 6144 }, space))).toHaveLength(6);
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

test('decoder: decodes a built-in picture, or says what its process has written before it ended', async () => {
  const works = openDecoder(join(ROOT, FOLDER, 'decode-worker.js')).decoder;
  expect([await works.check(), works.findFailure()]).toEqual([null, null]);
  const path = writeProgram("throw new Error('Could not load the sharp module')");
  const { decoder, decode } = openDecoder(path);
  const why = 'The process died (1). Error: Could not load the sharp module';
  expect([await decoder.check(), decoder.findFailure()]).toEqual([why, why]);
  await expect(decode(1)).rejects.toMatchObject({ ...UNAVAILABLE, cause: { message: why } });
  // Another picture shows that it works again.
  writeFileSync(path, `process.on('message', () => process.send(${JSON.stringify(NO_PICTURES)}))`);
  await decode(1);
  expect(decoder.findFailure()).toBe(null);
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
