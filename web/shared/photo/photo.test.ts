import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { cropZoom, initialCrop, resizeCrop, sourceSquare, zoomCrop } from './crop.ts';

test.each([
  [4000, 3000, { x: 650, y: 150, side: 2700 }],
  [3000, 4000, { x: 150, y: 320, side: 2700 }],
  [1000, 1010, { x: 50, y: 55, side: 900 }],
  [100, 100, { x: 0, y: 0, side: 100 }],
])(
  'initial crop: of %i x %i is centred, or near the top of an upright picture, and at least 100',
  (width, height, square) => {
    const size = { width, height };
    expect(sourceSquare(initialCrop(size), size)).toEqual(square);
  },
);

test('zoom: keeps the centre, and the crop between 100 pixels and the whole picture', () => {
  const size = { width: 4000, height: 3000 };
  const crop = initialCrop(size);
  const smallest = zoomCrop(crop, 1, size);
  const corner = { ...smallest, x: 0, y: 0 };
  for (const [changed, x, y, side] of [
    [resizeCrop(crop, 1000, size), 1500, 1000, 1000],
    [smallest, 1950, 1450, 100],
    [zoomCrop(crop, 0, size), 500, 0, 3000],
    [resizeCrop(corner, 1000, size), 0, 0, 1000],
  ] as const)
    expect(sourceSquare(changed, size)).toEqual({ x, y, side });
  for (const zoom of [0, 0.25, 1])
    expect(cropZoom(zoomCrop(crop, zoom, size), size)).toBeCloseTo(zoom);
  const small = { width: 100, height: 100 };
  expect(cropZoom(initialCrop(small), small)).toBe(0);
});

test('source square: is inside the picture and at least 100 pixels wide', () => {
  const side = fc.integer({ min: 100, max: 9000 });
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  fc.assert(
    fc.property(fc.tuple(side, side, percent, percent, percent), ([width, height, x, y, size]) => {
      const wanted = { unit: '%' as const, x, y, width: size, height: size };
      const square = sourceSquare(wanted, { width, height });
      expect(Object.values(square).every(Number.isInteger)).toBe(true);
      expect(Math.min(square.x, square.y, square.side - 100)).toBeGreaterThanOrEqual(0);
      const ends = [square.x + square.side - width, square.y + square.side - height];
      expect(Math.max(...ends)).toBeLessThanOrEqual(0);
    }),
  );
});
