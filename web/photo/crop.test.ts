import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { cropSideMin, cropZoom, initialCrop, resizeCrop, sourceSquare, zoomCrop } from './crop.ts';

test.each([
  [4000, 3000, { x: 650, y: 150, side: 2700 }],
  [3000, 4000, { x: 150, y: 650, side: 2700 }],
  [100, 100, { x: 0, y: 0, side: 100 }],
])('initial crop: of %i x %i is the centred square, at least 100', (width, height, square) => {
  const size = { width, height };
  expect(sourceSquare(initialCrop(size), size)).toEqual(square);
});

test('smallest crop: is 100 pixels of the picture', () => {
  expect(cropSideMin({ width: 4000, height: 3000 }, { width: 400, height: 300 })).toBe(10);
  expect(cropSideMin({ width: 100, height: 100 }, { width: 200, height: 200 })).toBe(200);
});

test('zoom: keeps the centre, and the crop between 100 pixels and the whole picture', () => {
  const size = { width: 4000, height: 3000 };
  const crop = initialCrop(size);
  const resized = sourceSquare(resizeCrop(crop, 1000, size), size);
  expect(resized).toEqual({ x: 1500, y: 1000, side: 1000 });
  expect(sourceSquare(zoomCrop(crop, 1, size), size)).toEqual({ x: 1950, y: 1450, side: 100 });
  expect(sourceSquare(zoomCrop(crop, 0, size), size)).toEqual({ x: 500, y: 0, side: 3000 });
  const corner = { ...zoomCrop(crop, 1, size), x: 0, y: 0 };
  expect(sourceSquare(resizeCrop(corner, 1000, size), size)).toEqual({ x: 0, y: 0, side: 1000 });
  for (const zoom of [0, 0.25, 1])
    expect(cropZoom(zoomCrop(crop, zoom, size), size)).toBeCloseTo(zoom);
  expect(cropZoom(initialCrop({ width: 100, height: 100 }), { width: 100, height: 100 })).toBe(0);
});

test('source square: is inside the picture and at least 100 pixels wide', () => {
  const side = fc.integer({ min: 100, max: 9000 });
  const percent = fc.double({ min: 0, max: 100, noNaN: true });
  const natural = fc.record({ width: side, height: side });
  const crop = fc.record({ x: percent, y: percent, size: percent });
  fc.assert(
    fc.property(natural, crop, ({ width, height }, { x, y, size }) => {
      const wanted = { unit: '%' as const, x, y, width: size, height: size };
      const square = sourceSquare(wanted, { width, height });
      const whole = [square.x, square.y, square.side].every(Number.isInteger);
      const ends = [square.x + square.side - width, square.y + square.side - height];
      expect(whole && Math.min(square.x, square.y, square.side - 100) >= 0).toBe(true);
      expect(Math.max(...ends)).toBeLessThanOrEqual(0);
    }),
  );
});
