import Compressor from 'compressorjs';

import { compressionQuality } from '#domain/photo.ts';

import type { Square } from './crop.ts';

/**
 * The longest side of an uploaded picture (docs/product.md#photo). A card needs less than half of
 * it. A larger one would slow uploads down, and large canvases fail on some phones.
 */
const UPLOAD_SIDE_PX_MAX = 1024;
/** The background of transparent pictures. JPEG has no transparency, so they would become black. */
const BACKGROUND = '#ffffff';

/** Returns a square of a picture as a PNG. */
export async function cutOut(picture: HTMLImageElement, { x, y, side }: Square): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(side, UPLOAD_SIDE_PX_MAX);
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser gives no canvas');
  context.fillStyle = BACKGROUND;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.imageSmoothingQuality = 'high';
  context.drawImage(picture, x, y, side, side, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => {
      if (blob) resolve(blob);
      else reject(new Error('The canvas gave no picture'));
    }, 'image/png');
  });
}

/**
 * Returns a picture as a JPEG, in the quality for its size; null if it is too large
 * (docs/product.md#limits).
 */
export async function compress(picture: Blob): Promise<Blob | null> {
  const quality = compressionQuality(picture.size);
  if (quality === null) return null;
  return new Promise((resolve, reject) => {
    const options = { quality, mimeType: 'image/jpeg', strict: false, checkOrientation: false };
    // eslint-disable-next-line no-new -- the library's constructor starts the work
    new Compressor(picture, { ...options, success: resolve, error: reject });
  });
}
