import { expect, test } from 'vitest';

import { HEIC_NOTE, NOT_A_PICTURE_NOTE, noteOnFile, noteOnUnreadable } from './choose.ts';

test('a file of 10,000,000 bytes may be opened, one more is noted as too large', () => {
  expect([10_000_000, 10_000_001].map((size) => noteOnFile({ size }))).toEqual([
    '',
    ' *file size exceeded',
  ]);
});

test('an iPhone photo that the browser cannot open gets a word of its own', () => {
  const files = [
    { name: 'IMG_1.HEIC', type: '' },
    { name: 'photo', type: 'image/heif' },
    { name: 'broken.jpg', type: 'image/jpeg' },
  ];
  expect(files.map(noteOnUnreadable)).toEqual([HEIC_NOTE, HEIC_NOTE, NOT_A_PICTURE_NOTE]);
});
