import { PHOTO_LARGE_SIDE_PX, compressionQuality } from '#domain/photo.ts';
import { createContext, encodeCanvas } from '#web/shared/ui/canvas.ts';

import type { Square } from './crop.ts';

/** Twice the largest side that is stored. */
const UPLOAD_SIDE_PX_MAX = 2 * PHOTO_LARGE_SIDE_PX;
/** Large canvases fail on some phones, so a crop is measured in blocks. */
const BLOCK_SIDE_PX_MAX = 2048;
/** The size in bytes at this quality selects the quality of the upload. */
const MEASURED_QUALITY = 1;
/** JPEG has no transparency: transparent parts would become black. */
const BACKGROUND = '#ffffff';

/**
 * The bytes of the whole crop select the quality; null over the last band (docs/product.md#limits).
 */
export async function compress(picture: HTMLImageElement, square: Square): Promise<Blob | null> {
  const quality = compressionQuality(await measureBytes(picture, square));
  if (quality === null) return null;
  return encode(picture, square, { side: Math.min(square.side, UPLOAD_SIDE_PX_MAX), quality });
}

/** At its own resolution, as a JPEG of quality 1. */
async function measureBytes(picture: HTMLImageElement, { x, y, side }: Square): Promise<number> {
  const blockCount = Math.ceil(side / BLOCK_SIDE_PX_MAX);
  const blockSide = side / blockCount;
  let bytes = 0;
  for (let row = 0; row < blockCount; row += 1) {
    for (let column = 0; column < blockCount; column += 1) {
      const block = { x: x + column * blockSide, y: y + row * blockSide, side: blockSide };
      const output = { side: Math.round(blockSide), quality: MEASURED_QUALITY };
      // One after the other: a canvas takes up to 16 MB of memory.
      // eslint-disable-next-line no-await-in-loop
      bytes += (await encode(picture, block, output)).size;
    }
  }
  return bytes;
}

interface Output {
  readonly side: number;
  readonly quality: number;
}

function encode(picture: HTMLImageElement, square: Square, output: Output): Promise<Blob> {
  const context = createContext(output.side, output.side);
  context.fillStyle = BACKGROUND;
  context.fillRect(0, 0, output.side, output.side);
  const { x, y, side } = square;
  context.drawImage(picture, x, y, side, side, 0, 0, output.side, output.side);
  return encodeCanvas(context, 'image/jpeg', output.quality);
}
