import { centerCrop, makeAspectCrop } from 'react-image-crop';
import type { PercentCrop } from 'react-image-crop';

import { IMAGE_SIDE_PX_MIN, PHOTO_LARGE_SIDE_PX, compressionQuality } from '#domain/photo.ts';
import { createWhiteContext, encodeCanvas } from '#web/shared/ui/canvas.ts';

/** The size of a picture in pixels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A square part of a picture, in pixels of the picture. */
export interface Square {
  readonly x: number;
  readonly y: number;
  readonly side: number;
}

const INITIAL_PERCENT = 90;
/** The face is in the upper part of an upright picture, so the crop begins at most this far down. */
const UPRIGHT_TOP_PERCENT_MAX = 8;
const SQUARE_ASPECT = 1;
export const WHOLE_PERCENT = 100;

export function initialCrop({ width, height }: Size): PercentCrop {
  const sidePercent = Math.max(
    INITIAL_PERCENT,
    percentOf(IMAGE_SIDE_PX_MIN, Math.min(width, height)),
  );
  const edge = width <= height ? { width: sidePercent } : { height: sidePercent };
  const crop = makeAspectCrop({ unit: '%', ...edge }, SQUARE_ASPECT, width, height);
  const centred = centerCrop(crop, width, height);
  return width < height ? { ...centred, y: Math.min(centred.y, UPRIGHT_TOP_PERCENT_MAX) } : centred;
}

/** Returns the crop with another side, in pixels. It keeps its centre if the picture leaves room for that. */
export function resizeCrop(crop: PercentCrop, side: number, { width, height }: Size): PercentCrop {
  const { min, max } = sideLimits({ width, height });
  const limited = Math.min(Math.max(side, min), max);
  const resized = { width: percentOf(limited, width), height: percentOf(limited, height) };
  return {
    unit: '%',
    x: startAroundCentre(crop.x, crop.width, resized.width),
    y: startAroundCentre(crop.y, crop.height, resized.height),
    ...resized,
  };
}

function startAroundCentre(start: number, length: number, newLength: number): number {
  const wanted = start + (length - newLength) / 2;
  return Math.min(Math.max(0, wanted), WHOLE_PERCENT - newLength);
}

/** Returns the zoom from 0, the largest crop, to 1, the smallest. Equal steps change the side by equal factors. */
export function cropZoom(crop: PercentCrop, natural: Size): number {
  const { min, max } = sideLimits(natural);
  const side = (crop.width / WHOLE_PERCENT) * natural.width;
  return max === min ? 0 : Math.log(side / max) / Math.log(min / max);
}

export function zoomCrop(crop: PercentCrop, zoom: number, natural: Size): PercentCrop {
  const { min, max } = sideLimits(natural);
  return resizeCrop(crop, max * (min / max) ** zoom, natural);
}

/** Returns the limits of the side of a crop, in pixels of the picture. */
function sideLimits({ width, height }: Size) {
  return { min: IMAGE_SIDE_PX_MIN, max: Math.min(width, height) };
}

/** Converts the minimum side of a crop from pixels of the picture to displayed pixels. */
export function cropSideMin(natural: Size, displayed: Size): number {
  return natural.width === 0 ? 0 : (IMAGE_SIDE_PX_MIN * displayed.width) / natural.width;
}

/**
 * Returns the crop in pixels of the picture. The square is inside the picture, and rounding never makes it
 * smaller than the minimum (docs/develop/product.md#photo).
 */
export function sourceSquare(crop: PercentCrop, { width, height }: Size): Square {
  const wanted = Math.round((crop.width / WHOLE_PERCENT) * width);
  const side = Math.min(Math.max(wanted, IMAGE_SIDE_PX_MIN), width, height);
  const toPixels = (percent: number, length: number) =>
    Math.min(Math.max(0, Math.round((percent / WHOLE_PERCENT) * length)), length - side);
  return { x: toPixels(crop.x, width), y: toPixels(crop.y, height), side };
}

function percentOf(part: number, whole: number): number {
  return Math.min(WHOLE_PERCENT, (part / whole) * WHOLE_PERCENT);
}

/** The upload is at most twice as large as the largest side that the server stores. */
const UPLOAD_SIDE_PX_MAX = 2 * PHOTO_LARGE_SIDE_PX;
/** Large canvases fail on some phones, so a crop is measured in blocks. */
const BLOCK_SIDE_PX_MAX = 2048;
/** The size in bytes at this quality decides about the quality of the upload. */
const MEASURED_QUALITY = 1;

/** Returns the crop as a JPEG, or null if its bytes exceed the last band of qualities (docs/develop/product.md#limits). */
export async function compress(picture: HTMLImageElement, square: Square): Promise<Blob | null> {
  const quality = compressionQuality(await measureBytes(picture, square));
  if (quality === null) return null;
  return encode(picture, square, { side: Math.min(square.side, UPLOAD_SIDE_PX_MAX), quality });
}

/** Returns the bytes that the crop has as a JPEG of quality 1, in its own resolution. */
async function measureBytes(picture: HTMLImageElement, { x, y, side }: Square): Promise<number> {
  const blockCount = Math.ceil(side / BLOCK_SIDE_PX_MAX);
  const blockSide = side / blockCount;
  let bytes = 0;
  for (let row = 0; row < blockCount; row += 1) {
    for (let column = 0; column < blockCount; column += 1) {
      const block = { x: x + column * blockSide, y: y + row * blockSide, side: blockSide };
      const output = { side: Math.round(blockSide), quality: MEASURED_QUALITY };
      // The blocks are encoded one after the other, because a canvas takes up to 16 MB of memory.
      // eslint-disable-next-line no-await-in-loop
      bytes += (await encode(picture, block, output)).size;
    }
  }
  return bytes;
}

function encode(
  picture: HTMLImageElement,
  square: Square,
  output: { readonly side: number; readonly quality: number },
): Promise<Blob> {
  const context = createWhiteContext(output.side, output.side);
  const { x, y, side } = square;
  context.drawImage(picture, x, y, side, side, 0, 0, output.side, output.side);
  return encodeCanvas(context, 'image/jpeg', output.quality);
}
