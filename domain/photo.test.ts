import { expect, test } from 'vitest';

import {
  IMAGE_HINT,
  IMAGE_NOT_COMPRESSIBLE,
  IMAGE_TOO_LARGE_NOTE,
  IMAGE_TOO_SMALL,
  LARGE_PHOTO_MARK,
  compressionQuality,
  photoPath,
  photoSources,
} from './photo.ts';

const STEM = 'AbCdEfGhJkMnPqRs-0123456789abcdef0123456789abcdef';

test('compression quality: decreases with the image size, in the bands of docs/product.md#photo', () => {
  const sizes = [4, 10, 20, 40].flatMap((megabytes) => [megabytes * 1e6 - 1, megabytes * 1e6]);
  const qualities = [0, ...sizes, 90e6].map(compressionQuality);
  expect(qualities).toEqual([1, 1, 0.8, 0.8, 0.6, 0.6, 0.4, 0.4, null, null]);
});

test('photo sources: two sizes as WebP, and one JPEG', () => {
  expect(photoSources(photoPath(STEM))).toEqual({
    src: `/photos/${STEM}-448.jpg`,
    webpSet: `/photos/${STEM}-224.webp 224w, /photos/${STEM}-448.webp 448w`,
  });
});

test('photo sources: a third size for a photo that has it', () => {
  const large = `${STEM.slice(0, -LARGE_PHOTO_MARK.length)}${LARGE_PHOTO_MARK}`;
  expect(photoSources(photoPath(large))).toEqual({
    src: `/photos/${large}-448.jpg`,
    webpSet: [224, 448, 648].map((side) => `/photos/${large}-${side}.webp ${side}w`).join(', '),
  });
});

test('photo sources: a URL of another origin is the only source; null without a photo', () => {
  for (const src of ['https://example.com/me.png', `${photoPath(STEM)}.png`])
    expect(photoSources(src)).toEqual({ src, webpSet: '' });
  expect(photoSources('')).toBeNull();
});

test('photo texts: are those of docs/product.md#photo', () => {
  expect([IMAGE_HINT, IMAGE_TOO_LARGE_NOTE, IMAGE_TOO_SMALL, IMAGE_NOT_COMPRESSIBLE]).toEqual([
    'upload any jpg, png file under 10 Mb',
    ' *file size exceeded',
    'Image should be atleast 100 x 100 pixels large',
    'File size too large!',
  ]);
});
