import { expect, test } from 'vitest';

import { ImageCache } from './image-cache.ts';

const MEBIBYTE = 1024 * 1024;

test('however many ask at once or later, a picture is drawn once', async () => {
  const imageCache = new ImageCache();
  let drawn = 0;
  const draw = async () => Buffer.from(`picture ${(drawn += 1)}`);
  const shown = await Promise.all([imageCache.show('a', draw), imageCache.show('a', draw)]);
  shown.push(await imageCache.show('a', draw));
  expect(shown.map(String)).toEqual(['picture 1', 'picture 1', 'picture 1']);
});

test('a drawing that failed is tried again', async () => {
  const imageCache = new ImageCache();
  await expect(imageCache.show('a', () => Promise.reject(new Error('no paint')))).rejects.toThrow();
  expect(String(await imageCache.show('a', async () => Buffer.from('here')))).toBe('here');
});

test('memory is bounded: the picture that was not asked for longest goes', async () => {
  const imageCache = new ImageCache();
  const drawn: string[] = [];
  const show = (name: string) =>
    imageCache.show(name, async () => {
      drawn.push(name);
      return Buffer.alloc(10 * MEBIBYTE);
    });
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await show(name);
  expect(drawn).toEqual(['a', 'b', 'c', 'b']);
});
