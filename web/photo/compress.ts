import Compressor from 'compressorjs';

import { compressionQuality } from '#domain/photo.ts';

import type { Square } from './crop.ts';

/**
 * The longest side that is sent, in pixels. A card needs less than half of it; more would only make
 * an upload from a phone long, and the largest canvases fail on some of them.
 */
const SENT_SIDE_PX_MAX = 1024;
/** A JPEG has no transparency; without this it would be black. */
const BEHIND = '#ffffff';

/** The square of a picture as a picture of its own. */
export async function cutOut(picture: HTMLImageElement, { x, y, side }: Square): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = Math.min(side, SENT_SIDE_PX_MAX);
  canvas.height = canvas.width;
  const context = canvas.getContext('2d');
  if (!context) throw new Error('This browser gives no canvas');
  context.fillStyle = BEHIND;
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
 * A picture as a JPEG, at the quality that its size asks for; `null` where it is too large
 * (specification, section 5).
 */
export async function compress(picture: Blob): Promise<Blob | null> {
  const quality = compressionQuality(picture.size);
  if (quality === null) return null;
  return new Promise((resolve, reject) => {
    const options = { quality, mimeType: 'image/jpeg', strict: false, checkOrientation: false };
    // eslint-disable-next-line no-new -- the library's way of being called
    new Compressor(picture, { ...options, success: resolve, error: reject });
  });
}
