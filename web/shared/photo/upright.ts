import { createContext, createWhiteContext, encodeCanvas } from '#web/shared/ui/canvas.ts';

import type { Size } from './crop.ts';

/** The largest canvas that Safari draws on an iPhone. */
const CANVAS_PIXELS_MAX = 16_777_216;
const QUALITY = 0.95;

interface Turn {
  /** Clockwise. */
  readonly quarters: number;
  /** Whether left and right are swapped first. */
  readonly isMirrored?: boolean;
}

/** Returns the turned picture as a JPEG that any browser can draw. */
export function turnPicture(
  source: HTMLImageElement | ImageBitmap,
  { quarters, isMirrored = false }: Turn,
): Promise<Blob> {
  const natural: Size =
    'naturalWidth' in source
      ? { width: source.naturalWidth, height: source.naturalHeight }
      : source;
  const scale = Math.min(1, Math.sqrt(CANVAS_PIXELS_MAX / (natural.width * natural.height)));
  const [width, height] = [Math.floor(natural.width * scale), Math.floor(natural.height * scale)];
  const [across, down] = quarters % 2 === 0 ? [width, height] : [height, width];
  const context = createWhiteContext(across, down);
  context.translate(across / 2, down / 2);
  context.rotate((quarters * Math.PI) / 2);
  context.scale(isMirrored ? -1 : 1, 1);
  context.drawImage(source, -width / 2, -height / 2, width, height);
  return encodeCanvas(context, 'image/jpeg', QUALITY);
}

/** The clockwise quarter turns of the EXIF orientations from 1 to 8 (CIPA DC-008, section 4.6.5). */
const QUARTERS = [0, 0, 2, 2, 3, 1, 1, 3] as const;
const MIRRORED = new Set([2, 4, 5, 7]);
/** Matches the tag 274 in EXIF, a short number in the byte order of the file. The last byte is its value. */
// eslint-disable-next-line no-control-regex -- the bytes of the tag
const ORIENTATION = /(?:\x12\x01\x03\0\x01\0{3}|\x01\x12\0\x03\0{3}\x01\0)[\x02-\x08]/;

/**
 * Returns the file, or the upright picture of a WebP with an EXIF orientation. Some browsers apply it
 * and some ignore it, so it is removed from the file before the browser reads it.
 */
export async function uprightPicture(file: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const text = new TextDecoder('latin1').decode(bytes);
  const exif = text.startsWith('WEBP', 8) ? text.indexOf('EXIF') : -1;
  const found = exif === -1 ? null : ORIENTATION.exec(text.slice(exif));
  if (!found) return file;
  const offset = exif + found.index + found[0].length - 1;
  const orientation = bytes[offset] ?? 1;
  bytes[offset] = 1;
  try {
    const picture = await createImageBitmap(new Blob([bytes], { type: file.type }));
    const quarters = QUARTERS[orientation - 1] ?? 0;
    return await turnPicture(picture, { quarters, isMirrored: MIRRORED.has(orientation) });
  } catch {
    return file;
  }
}

const PROBE_SIDE_PX = 16;
const PROBE_COLOUR = [0x33, 0x66, 0x99] as const;
/** Some browsers change the lowest bit of some pixels. Nobody sees that, so it is tolerated. */
const PROBE_TOLERANCE = 2;

/** Returns whether a privacy setting of this browser replaces the content of canvases with noise. */
export async function isCanvasNoisy(): Promise<boolean> {
  const drawn = createContext(PROBE_SIDE_PX, PROBE_SIDE_PX);
  drawn.fillStyle = `rgb(${PROBE_COLOUR.join(' ')})`;
  drawn.fillRect(0, 0, PROBE_SIDE_PX, PROBE_SIDE_PX);
  const read = createContext(PROBE_SIDE_PX, PROBE_SIDE_PX);
  try {
    read.drawImage(await createImageBitmap(await encodeCanvas(drawn, 'image/png')), 0, 0);
  } catch {
    return true;
  }
  const { data } = read.getImageData(0, 0, PROBE_SIDE_PX, PROBE_SIDE_PX);
  return data.some((value, at) => {
    const expected = [...PROBE_COLOUR, 255][at % 4] ?? 0;
    return Math.abs(value - expected) > PROBE_TOLERANCE;
  });
}
