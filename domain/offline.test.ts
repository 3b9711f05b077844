import { test } from 'vitest';

import { expectResults } from '#tests/support/results.ts';

import { photoKey } from './offline.ts';

test('photo key: is the same for all sizes and formats of a photo, and null for other paths', () => {
  expectResults(photoKey, {
    '/photos/abc-0f-448.jpg': '/photos/abc-0f',
    '/photos/abc-0f-224.webp': '/photos/abc-0f',
    '/photos/abc-0f.jpg': null,
    '/photos/abc-0f-448.': null,
    '/photos/abc-0f-448.jpg/': null,
    '/photos/a/b-448.jpg': null,
    '/a/photos/abc-0f-448.jpg': null,
    '/photos/-448.jpg': null,
  });
});
