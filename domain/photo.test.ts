import { expect, test } from 'vitest';

import * as photo from './photo.ts';

const STEM = 'AbCdEfGhJkMnPqRs-0123456789abcdef0123456789abcdef';
const { photoPath, photoSources } = photo;

test('compression quality: decreases with the image size, in the bands of docs/product.md#photo', () => {
  const sizes = [4, 10, 20, 40].flatMap((megabytes) => [megabytes * 1e6 - 1, megabytes * 1e6]);
  const qualities = [0, ...sizes, 90e6].map(photo.compressionQuality);
  expect(qualities).toEqual([1, 1, 0.8, 0.8, 0.6, 0.6, 0.4, 0.4, null, null]);
});

test('photo sources: two sizes as WebP, a third for a photo that has it, and one JPEG', () => {
  const large = `${STEM.slice(0, -photo.LARGE_PHOTO_MARK.length)}${photo.LARGE_PHOTO_MARK}`;
  for (const [name, sides] of [
    [STEM, [224, 448]],
    [large, [224, 448, 648]],
  ] as const) {
    const webpSet = sides.map((side) => `/photos/${name}-${side}.webp ${side}w`).join(', ');
    expect(photoSources(photoPath(name))).toEqual({ src: `/photos/${name}-448.jpg`, webpSet });
  }
  // Of another origin.
  for (const src of ['https://example.com/me.png', `${photoPath(STEM)}.png`])
    expect(photoSources(src)).toEqual({ src, webpSet: '' });
  expect(photoSources('')).toBeNull();
});

test('photo texts: are those of docs/product.md#photo', () => {
  expect(photo).toMatchObject({
    IMAGE_HINT: 'upload any jpg, png file under 10 Mb',
    IMAGE_TOO_LARGE_NOTE: ' *file size exceeded',
    IMAGE_TOO_SMALL: 'Image should be atleast 100 x 100 pixels large',
    IMAGE_NOT_COMPRESSIBLE: 'File size too large!',
  });
});
