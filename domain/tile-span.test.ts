import { expect, test } from 'vitest';

import { tileSpans } from './tile-span.ts';

test('tiles: compose rows without gaps, from one to twelve', () => {
  const rows = Array.from({ length: 12 }, (_, index) => tileSpans(index + 1).join(' '));
  expect(rows).toEqual([
    '12',
    '6 6',
    '4 4 4',
    '6 6 6 6',
    '6 6 4 4 4',
    '4 4 4 4 4 4',
    '3 3 3 3 4 4 4',
    '3 3 3 3 3 3 3 3',
    '3 3 3 3 3 3 3 3 12',
    '3 3 3 3 3 3 3 3 6 6',
    '3 3 3 3 3 3 3 3 4 4 4',
    '3 3 3 3 3 3 3 3 3 3 3 3',
  ]);
});
