import { expect, test } from 'vitest';

import { HEIC_ERROR, NOT_A_PICTURE_ERROR, decodeError, fileSizeError } from './file-picker.tsx';

test('file size: 10,000,000 bytes are accepted, 10,000,001 are an error', () => {
  const errors = [10_000_000, 10_000_001].map((size) => fileSizeError({ size }));
  expect(errors).toEqual(['', ' *file size exceeded']);
});

test('decode error: a HEIC photo has its own message', () => {
  const files = [
    { name: 'IMG_1.HEIC', type: '' },
    { name: 'photo', type: 'image/heif' },
    { name: 'broken.jpg', type: 'image/jpeg' },
  ];
  expect(files.map(decodeError)).toEqual([HEIC_ERROR, HEIC_ERROR, NOT_A_PICTURE_ERROR]);
});
