export const IMAGE_SIZE_BYTES_MAX = 10_000_000;
export const IMAGE_SIDE_PX_MIN = 100;

export const IMAGE_TOO_LARGE_NOTE = ' *file size exceeded';
export const IMAGE_TOO_SMALL = 'Image should be atleast 100 x 100 pixels large';
export const IMAGE_NOT_COMPRESSIBLE = 'File size too large!';
export const IMAGE_HINT = 'upload any jpg, png file under 10 Mb';

const MEGABYTE = 1_000_000;
const QUALITY_BANDS = [
  { belowBytes: 4 * MEGABYTE, quality: 1 },
  { belowBytes: 10 * MEGABYTE, quality: 0.8 },
  { belowBytes: 20 * MEGABYTE, quality: 0.6 },
  { belowBytes: 40 * MEGABYTE, quality: 0.4 },
] as const;

/** Returns the JPEG quality for an upload, or null if the image is too large (docs/develop/product.md#photo). */
export function compressionQuality(sizeBytes: number): number | null {
  return QUALITY_BANDS.find((band) => sizeBytes < band.belowBytes)?.quality ?? null;
}

/** A card shows a photo at 216 CSS pixels, so 2x screens need 448 pixels and 3x screens 648. */
export const PHOTO_SIDE_PX_MIN = 224;
export const PHOTO_SIDE_PX_MAX = 448;
export const PHOTO_LARGE_SIDE_PX = 648;
export const PHOTO_SIDES_PX = [PHOTO_SIDE_PX_MIN, PHOTO_SIDE_PX_MAX, PHOTO_LARGE_SIDE_PX] as const;
export type PhotoSide = (typeof PHOTO_SIDES_PX)[number];
export const PHOTO_FORMATS = ['jpg', 'webp'] as const;
export type PhotoFormat = (typeof PHOTO_FORMATS)[number];

const PHOTO_PATH = /^(.*\/photos\/[1-9A-HJ-NP-Za-km-z]{16}-[0-9a-f]{32})-448\.jpg$/;

/** `baseName` is the user's id, a dash and 32 hexadecimal digits. */
export function photoPath(baseName: string): string {
  return photoFilePath(photoFileName(baseName, PHOTO_SIDE_PX_MAX, 'jpg'));
}

export function photoFilePath(fileName: string): string {
  return `/photos/${fileName}`;
}

export function photoFileName(baseName: string, sidePx: number, format: PhotoFormat): string {
  return `${baseName}-${sidePx}.${format}`;
}

export function photoSources(profilePhoto: string) {
  if (profilePhoto === '') return null;
  const baseName = PHOTO_PATH.exec(profilePhoto)?.[1];
  if (baseName === undefined) return { src: profilePhoto, webpSet: '' };
  const files = PHOTO_SIDES_PX.map((side) => `${photoFileName(baseName, side, 'webp')} ${side}w`);
  return { src: profilePhoto, webpSet: files.join(', ') };
}

const HEIC_BRANDS = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1']);

/** Returns whether a file's brands say that it is a HEIC photo (ISO/IEC 23008-12, annex B). */
export function isHeic(bytes: Uint8Array): boolean {
  const text = String.fromCharCode(...bytes.subarray(0, 64));
  if (text.slice(4, 8) !== 'ftyp') return false;
  const brands: string[] = text.slice(8, text.charCodeAt(3)).match(/.{4}/gs) ?? [];
  return brands.some((brand) => HEIC_BRANDS.has(brand)) && !brands.includes('avif');
}
