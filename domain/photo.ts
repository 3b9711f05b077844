/** Largest image file in bytes, checked when it is chosen (specification, section 9). */
export const IMAGE_SIZE_BYTES_MAX = 10_000_000;
/** Smallest image and smallest crop, in pixels of the source (specification, section 9). */
export const IMAGE_SIDE_PX_MIN = 100;

export const IMAGE_TOO_LARGE_NOTE = ' *file size exceeded';
export const IMAGE_TOO_SMALL = 'Image should be atleast 100 x 100 pixels large';
export const IMAGE_NOT_COMPRESSIBLE = 'File size too large!';
export const IMAGE_HINT = 'upload any jpg, png file under 10 Mb';

// The specification says MB, and gives 10 MB as 10,000,000 bytes.
const MEGABYTE = 1_000_000;
const BANDS = [
  { belowBytes: 4 * MEGABYTE, quality: 1 },
  { belowBytes: 10 * MEGABYTE, quality: 0.8 },
  { belowBytes: 20 * MEGABYTE, quality: 0.6 },
  { belowBytes: 40 * MEGABYTE, quality: 0.4 },
] as const;

/**
 * The JPEG quality (0 to 1) at which an image of `sizeBytes` is recompressed before upload, or
 * `null` where it is too large to try (specification, section 5).
 */
export function compressionQuality(sizeBytes: number): number | null {
  return BANDS.find((band) => sizeBytes < band.belowBytes)?.quality ?? null;
}
