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
  const sizes = [
    0, 3_999_999, 4_000_000, 9_999_999, 10_000_000, 19_999_999, 20_000_000, 39_999_999,
  ];
  expect(sizes.map(compressionQuality)).toEqual([1, 1, 0.8, 0.8, 0.6, 0.6, 0.4, 0.4]);
});

test('compression quality: is null from 40 MB', () => {
  expect([40_000_000, 90_000_000].map(compressionQuality)).toEqual([null, null]);
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
  expect(photoSources('https://example.com/me.png')).toEqual({
    src: 'https://example.com/me.png',
    webpSet: '',
  });
  const longer = `${photoPath(STEM)}.png`;
  expect(photoSources(longer)).toEqual({ src: longer, webpSet: '' });
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
