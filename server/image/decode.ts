import sharp from 'sharp';
import type { OutputInfo, Sharp } from 'sharp';

import { IMAGE_SIDE_PX_MIN, PHOTO_SIDE_PX_MAX, PHOTO_SIDES_PX } from '#domain/photo.ts';
import type { PhotoFormat } from '#domain/photo.ts';

import { sniffPicture } from './sniff.ts';

/** Today's phones reach 48 million pixels (hardening, "Photos"). */
const INPUT_PIXELS_MAX = 50_000_000;
const JPEG_QUALITY = 82;
const WEBP_QUALITY = 80;
/** What shows through a transparent picture: a JPEG has no transparency. */
const BEHIND = '#ffffff';

/** One file of a photo, made anew from the pixels alone. */
export interface Picture {
  readonly sidePx: number;
  readonly format: PhotoFormat;
  readonly bytes: Uint8Array;
}

export type Decoded =
  | { readonly kind: 'pictures'; readonly pictures: readonly Picture[] }
  | { readonly kind: 'rejected'; readonly reason: 'not_a_picture' | 'too_small' };

/**
 * Makes a card's photo of whatever was sent: upright by its EXIF orientation, in sRGB, the square in
 * its middle, in each side and format, with no metadata left. Refuses what is not a JPEG, PNG or
 * WebP by its bytes, is broken, has too many pixels or too few.
 */
export async function decodePhoto(bytes: Uint8Array): Promise<Decoded> {
  const format = sniffPicture(bytes);
  if (format === null) return { kind: 'rejected', reason: 'not_a_picture' };
  try {
    const picture = sharp(bytes, {
      failOn: 'warning',
      limitInputPixels: INPUT_PIXELS_MAX,
      pages: 1,
      autoOrient: true,
    });
    const found = await picture.metadata();
    if (found.format !== format) return { kind: 'rejected', reason: 'not_a_picture' };
    const side = Math.min(found.width, found.height);
    if (side < IMAGE_SIDE_PX_MIN) return { kind: 'rejected', reason: 'too_small' };
    return { kind: 'pictures', pictures: await encode(await square(picture, side)) };
  } catch {
    return { kind: 'rejected', reason: 'not_a_picture' };
  }
}

interface Square {
  readonly data: Buffer;
  readonly info: OutputInfo;
}

/** The square in the middle, never enlarged, as bare sRGB pixels. */
async function square(picture: Sharp, sourceSidePx: number): Promise<Square> {
  const side = Math.min(sourceSidePx, PHOTO_SIDE_PX_MAX);
  return picture
    .resize(side, side, { fit: 'cover', position: 'centre' })
    .flatten({ background: BEHIND })
    .toColourspace('srgb')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true });
}

async function encode({ data, info }: Square): Promise<Picture[]> {
  const raw = { width: info.width, height: info.height, channels: info.channels };
  const sized = (side: number) =>
    sharp(data, { raw }).resize(side, side, { withoutEnlargement: true });
  const pictures: Picture[] = [];
  for (const sidePx of PHOTO_SIDES_PX) {
    const jpeg = sized(sidePx).jpeg({ quality: JPEG_QUALITY, mozjpeg: true });
    const webp = sized(sidePx).webp({ quality: WEBP_QUALITY });
    pictures.push({ sidePx, format: 'jpg', bytes: await jpeg.toBuffer() });
    pictures.push({ sidePx, format: 'webp', bytes: await webp.toBuffer() });
  }
  return pictures;
}

/**
 * Leaves this process no loader but those three, from memory: for a process of its own, since it
 * holds for everything in it. An SVG of 254 bytes can cost half a minute, and no time-out stops it.
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

/** One thread and no memory of earlier pictures, so that decoding never crowds out the server. */
export function decodeModestly(): void {
  sharp.concurrency(1);
  sharp.cache(false);
}
