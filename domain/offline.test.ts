import { expect, test } from 'vitest';

import { photoKey } from './offline.ts';

test('photo key: is the same for all sizes and formats of a photo, and null for other paths', () => {
  const paths = [
    '/photos/abc-0f-448.jpg',
    '/photos/abc-0f-224.webp',
    '/photos/abc-0f.jpg',
    '/photos/abc-0f-448.',
    '/photos/abc-0f-448.jpg/',
    '/photos/a/b-448.jpg',
    '/a/photos/abc-0f-448.jpg',
    '/photos/-448.jpg',
  ];
  expect(paths.map(photoKey)).toEqual([
    '/photos/abc-0f',
    '/photos/abc-0f',
    ...Array<null>(6).fill(null),
  ]);
});
