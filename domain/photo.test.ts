import { expect, test } from 'vitest';

import { expectResults } from '#tests/support/results.ts';

import { photoCachePrefix } from './offline.ts';
import { compressionQuality, photoPath, photoSources } from './photo.ts';

const STEM = 'AbCdEfGhJkMnPqRs-0123456789abcdef0123456789abcdef';

test('compression quality: decreases with the image size, in the bands of docs/develop/product.md#photo', () => {
  const sizes = [4, 10, 20, 40].flatMap((megabytes) => [megabytes * 1e6 - 1, megabytes * 1e6]);
  const qualities = [0, ...sizes, 90e6].map(compressionQuality);
  expect(qualities).toEqual([1, 1, 0.8, 0.8, 0.6, 0.6, 0.4, 0.4, null, null]);
});

test('photo sources: three sizes as WebP and one JPEG', () => {
  const webpSet = [224, 448, 648].map((side) => `/photos/${STEM}-${side}.webp ${side}w`).join(', ');
  expect(photoSources(photoPath(STEM))).toEqual({ src: `/photos/${STEM}-448.jpg`, webpSet });
  // Pictures of another origin.
  for (const src of ['https://example.com/me.png', `${photoPath(STEM)}.png`])
    expect(photoSources(src)).toEqual({ src, webpSet: '' });
  expect(photoSources('')).toBeNull();
});

test('photo key: is the same for all sizes and formats of a photo, for the current one its beginning, and null for other paths', () => {
  expectResults(photoCachePrefix, {
    '/photos/abc-0f-448.jpg': '/photos/abc-0f-',
    '/photos/abc-0f-224.webp': '/photos/abc-0f-',
    '/user/abc/photo.jpg': '/photos/abc-',
    '/user/abc/qr.svg': null,
    '/photos/abc-0f.jpg': null,
    '/photos/abc-0f-448.': null,
    '/photos/abc-0f-448.jpg/': null,
    '/photos/a/b-448.jpg': null,
    '/a/photos/abc-0f-448.jpg': null,
    '/photos/-448.jpg': null,
  });
});
