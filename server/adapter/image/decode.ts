import sharp from 'sharp';
import type { Metadata, Sharp } from 'sharp';

import { LOGO_BOX_PX } from '#domain/logo.ts';
import type { LogoPicture } from '#domain/logo.ts';
import { IMAGE_SIDE_PX_MIN, PHOTO_LARGE_SIDE_PX, PHOTO_SIDES_PX, isHeic } from '#domain/photo.ts';
import type { PhotoFormat } from '#domain/photo.ts';

import { withColourProfile } from './png-colour.ts';
import { ringPalette } from './ring.ts';
import type { Square } from './ring.ts';

/** The largest picture that phones take has 8192 x 6144 pixels (docs/develop/security.md#photos). */
const INPUT_PIXELS_MAX = 50_331_648;
/** Each pixel has four bytes: red, green, blue and alpha. */
const INPUT_BYTES_MAX = 4 * INPUT_PIXELS_MAX;
/** A sample of a PNG has 8 or 16 bits; a deep one has 16. */
const DEEP_SAMPLE_BYTES = 2;
const COEFFICIENT_BYTES = 2;
/** 4:2:0: one luma sample for each pixel, two chroma samples for four pixels. */
const SUBSAMPLED_CHANNELS = 1.5;
const JPEG_QUALITY = 82;
const WEBP_QUALITY = 80;
/** Screens with three pixels per point hide a lower quality. */
const LARGE_QUALITIES = [74, 64, 54, 44, 34, 24];
const LARGE_BYTES_MAX = 45_000;
const LOGO_QUALITY = 60;
/** Replaces transparency, which JPEG does not have. */
const BACKGROUND = '#ffffff';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const JPEG = [0xff, 0xd8, 0xff];
const RIFF = [0x52, 0x49, 0x46, 0x46];
const WEBP = [0x57, 0x45, 0x42, 0x50];
const WEBP_OFFSET = 8;

export interface Picture {
  readonly sidePx: number;
  readonly format: PhotoFormat;
  readonly bytes: Uint8Array;
}

export interface Rejected {
  readonly kind: 'rejected';
  readonly reason: 'not_a_picture' | 'too_small' | 'too_many_pixels' | 'damaged' | 'heic';
}

const reject = (reason: Rejected['reason']): Rejected => ({ kind: 'rejected', reason });

export type Decoded =
  | Rejected
  | {
      readonly kind: 'pictures';
      readonly pictures: readonly Picture[];
      /** The number of the palette that is nearest to the photo's outer ring, or GREY_PHOTO. */
      readonly palette: number;
    };

export type DecodedLogo =
  | Rejected
  | (LogoPicture & { readonly kind: 'logo'; readonly bytes: Uint8Array });

/**
 * Returns pictures without metadata, or the reason why the file is rejected
 * (docs/develop/security.md#photos).
 */
export function decodePhoto(bytes: Uint8Array): Promise<Decoded> {
  return decode<Decoded>(bytes, async (picture, { width, height }) => {
    const side = Math.min(width, height);
    if (side < IMAGE_SIDE_PX_MIN) return reject('too_small');
    const square = await cropSquare(picture, side);
    return { kind: 'pictures', pictures: await encode(square), palette: await ringPalette(square) };
  });
}

export function decodeLogo(bytes: Uint8Array): Promise<DecodedLogo> {
  return decode<DecodedLogo>(bytes, async (picture) => {
    const logo = picture
      .resize(LOGO_BOX_PX.width, LOGO_BOX_PX.height, { fit: 'inside' })
      .toColourspace('srgb');
    const isLight = isLightLogo(
      await logo.clone().ensureAlpha().raw({ depth: 'uchar' }).toBuffer(),
    );
    const { data, info } = await logo
      .webp({ nearLossless: true, quality: LOGO_QUALITY })
      .toBuffer({ resolveWithObject: true });
    return { kind: 'logo', bytes: data, width: info.width, height: info.height, isLight };
  });
}

/** A grey that is darker than this value of 255 has a contrast below 3:1 on a dark card. */
const LIGHT_LUMA_MIN = 100;
const OPAQUE_ALPHA_MIN = 128;
const DARK_SHARE_MAX = 0.05;

/** Returns whether almost every visible pixel is light enough for a dark card. A pixel has four channels. */
function isLightLogo(pixels: Buffer): boolean {
  let [visible, dark] = [0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const [red = 0, green = 0, blue = 0, alpha = 0] = pixels.subarray(at, at + 4);
    if (alpha < OPAQUE_ALPHA_MIN) continue;
    visible += 1;
    if (0.2126 * red + 0.7152 * green + 0.0722 * blue < LIGHT_LUMA_MIN) dark += 1;
  }
  return dark <= visible * DARK_SHARE_MAX;
}

/** Some programs leave out this end of a JPEG. */
const END_OF_IMAGE = Buffer.from([0xff, 0xd9]);
/** Matches the decoder's message about a JPEG that ends too early. */
const ENDS_EARLY = /premature end/i;
const TOO_MANY_PIXELS = /pixel limit/i;

type Convert<Result> = (picture: Sharp, metadata: Metadata) => Promise<Result>;

/**
 * Accepts what browsers show, such as stray bytes between the segments of a JPEG. If the file ends too
 * early, it is decoded once more with an end marker. If there is no warning then, only the marker was
 * missing.
 */
async function decode<Result>(
  bytes: Uint8Array,
  convert: Convert<Result>,
): Promise<Result | Rejected> {
  const format = sniffFormat(bytes);
  if (format === null) return reject(isHeic(bytes) ? 'heic' : 'not_a_picture');
  const source = format === 'png' ? withColourProfile(bytes) : bytes;
  const attempt = (file: Uint8Array, failOn: 'error' | 'warning') =>
    decodeAs(format, sharp(file, { ...SHARP_OPTIONS, failOn }), convert);
  try {
    return await attempt(source, 'error');
  } catch (error) {
    if (format !== 'jpeg' || !ENDS_EARLY.test(String(error))) return reject('damaged');
  }
  const ended = Buffer.concat([source, END_OF_IMAGE]);
  return attempt(ended, 'warning').catch(() => reject('damaged'));
}

const SHARP_OPTIONS = { limitInputPixels: INPUT_PIXELS_MAX, pages: 1, autoOrient: true };

async function decodeAs<Result>(
  format: string,
  picture: Sharp,
  convert: Convert<Result>,
): Promise<Result | Rejected> {
  try {
    const metadata = await picture.metadata();
    if (metadata.format !== format) return reject('not_a_picture');
    if (pixelBytes(metadata) > INPUT_BYTES_MAX) return reject('too_many_pixels');
    return await convert(picture, metadata);
  } catch (error) {
    if (TOO_MANY_PIXELS.test(String(error))) return reject('too_many_pixels');
    throw error;
  }
}

function sniffFormat(bytes: Uint8Array): 'jpeg' | 'png' | 'webp' | null {
  const has = (signature: readonly number[], offset = 0) =>
    signature.every((byte, index) => bytes[offset + index] === byte);
  if (has(JPEG)) return 'jpeg';
  if (has(PNG)) return 'png';
  return has(RIFF) && has(WEBP, WEBP_OFFSET) ? 'webp' : null;
}

function pixelBytes(metadata: Metadata): number {
  const { width, height, channels, depth, format, isProgressive, chromaSubsampling } = metadata;
  const pixels = width * height;
  if (format !== 'jpeg' || !isProgressive) {
    return pixels * channels * (depth === 'uchar' ? 1 : DEEP_SAMPLE_BYTES);
  }
  // The decoder holds all coefficients of a progressive JPEG.
  const samples = chromaSubsampling === '4:2:0' ? SUBSAMPLED_CHANNELS : channels;
  return pixels * samples * COEFFICIENT_BYTES;
}

async function cropSquare(picture: Sharp, sourceSidePx: number): Promise<Square> {
  const side = Math.min(sourceSidePx, PHOTO_LARGE_SIDE_PX);
  return picture
    .resize(side, side, { fit: 'cover', position: 'top' })
    .flatten({ background: BACKGROUND })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}

async function encode({ data, info }: Square): Promise<Picture[]> {
  const resize = (sidePx: number) =>
    sharp(data, { raw: info }).resize(sidePx, sidePx, { withoutEnlargement: true });
  const pictures: Picture[] = [];
  for (const sidePx of PHOTO_SIDES_PX) {
    const isLarge = sidePx === PHOTO_LARGE_SIDE_PX;
    const jpeg = (quality: number) => resize(sidePx).jpeg({ quality, mozjpeg: true }).toBuffer();
    const webp = (quality: number) => resize(sidePx).webp({ quality }).toBuffer();
    const [jpg, web] = isLarge
      ? [await encodeBelowLimit(jpeg), await encodeBelowLimit(webp)]
      : [await jpeg(JPEG_QUALITY), await webp(WEBP_QUALITY)];
    pictures.push({ sidePx, format: 'jpg', bytes: jpg }, { sidePx, format: 'webp', bytes: web });
  }
  return pictures;
}

async function encodeBelowLimit(encodeWith: (quality: number) => Promise<Buffer>): Promise<Buffer> {
  const [first = 0, ...others] = LARGE_QUALITIES;
  let bytes = await encodeWith(first);
  for (const quality of others) {
    if (bytes.length <= LARGE_BYTES_MAX) break;
    bytes = await encodeWith(quality);
  }
  return bytes;
}

/**
 * An SVG of 254 bytes can use 30 s of CPU time, and no timeout stops it (docs/develop/security.md#photos).
 */
export function blockOtherLoaders(): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({
    operation: [
      'VipsForeignLoadJpegBuffer',
      'VipsForeignLoadPngBuffer',
      'VipsForeignLoadWebpBuffer',
    ],
  });
}

export function limitResources(): void {
  sharp.concurrency(1);
  sharp.cache(false);
}
