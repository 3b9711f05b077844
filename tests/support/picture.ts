import { crc32, deflateSync } from 'node:zlib';

import sharp from 'sharp';
import type { Sharp } from 'sharp';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture with a red top and a blue bottom, so that a test can check its orientation. */
export function twoHalves({ width, height }: Size): Sharp {
  const top = { create: { width, height: Math.floor(height / 2), channels: 3, background: RED } };
  return sharp({ create: { width, height, channels: 3, background: BLUE } }).composite([
    { input: { create: { ...top.create, channels: 3 } }, left: 0, top: 0 },
  ]);
}

const RED = '#ff0000';
const BLUE = '#0000ff';

/** A JPEG as a camera writes it: rotated by EXIF, with a position and other metadata. */
export async function cameraJpeg(size: Size): Promise<Buffer> {
  // Orientation 6: the viewer rotates by 90 degrees clockwise, so in the stored
  // pixels red is on the left side.
  const upright = await twoHalves(size).png().toBuffer();
  return sharp(upright)
    .rotate(-90)
    .keepIccProfile()
    .withIccProfile('p3')
    .withExif({
      IFD0: { Make: 'SECRETMAKE', Copyright: 'SECRETOWNER' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '12/1 58/1 1234/100' },
    })
    .withMetadata({ orientation: 6 })
    .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><SECRETXMP/></x:xmpmeta>')
    .jpeg({ quality: 90 })
    .toBuffer();
}

/** Random pixels, which do not compress: the file is as large as its pixels. */
export function noise({ width, height }: Size): Sharp {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });
}

/** A decompression bomb: a PNG of few bytes and very many pixels. */
export function bombPng({ width, height }: Size): Buffer {
  return blackPng({ width, height, bitDepth: 1, colourType: 0, bitsPerPixel: 1 });
}

/** A PNG with 16 bits for each of red, green, blue and alpha: 8 bytes a pixel. */
export function deepPng({ width, height }: Size): Buffer {
  return blackPng({ width, height, bitDepth: 16, colourType: 6, bitsPerPixel: 64 });
}

interface PngFormat extends Size {
  readonly bitDepth: number;
  readonly colourType: number;
  readonly bitsPerPixel: number;
}

function blackPng({ width, height, bitDepth, colourType, bitsPerPixel }: PngFormat): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([bitDepth, colourType, 0, 0, 0], 8);
  const rows = Buffer.alloc((Math.ceil((width * bitsPerPixel) / 8) + 1) * height);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, checksum]);
}

/** Returns the names of the colours near the top and the bottom edge, halfway across. */
export async function topAndBottom(bytes: Uint8Array): Promise<string[]> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const colourOf = (row: number) => {
    const start = (row * info.width + Math.floor(info.width / 2)) * info.channels;
    return nameOf(data[start] ?? 0, data[start + 1] ?? 0, data[start + 2] ?? 0);
  };
  return [colourOf(5), colourOf(info.height - 6)];
}

function nameOf(red: number, green: number, blue: number): string {
  if (red > 200 && green < 60 && blue < 60) return 'red';
  return blue > 200 && red < 60 && green < 60 ? 'blue' : `rgb(${red}, ${green}, ${blue})`;
}

export async function jpegFile(size: Size) {
  const buffer = await twoHalves(size).jpeg().toBuffer();
  return { name: 'me.jpg', mimeType: 'image/jpeg', buffer };
}
