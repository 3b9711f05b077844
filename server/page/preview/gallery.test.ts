import { expect, test } from 'vitest';

import { Gallery } from './gallery.ts';

const MEBIBYTE = 1024 * 1024;

test('however many ask at once or later, a picture is drawn once', async () => {
  const gallery = new Gallery();
  let drawn = 0;
  const draw = async () => Buffer.from(`picture ${(drawn += 1)}`);
  const shown = await Promise.all([gallery.show('a', draw), gallery.show('a', draw)]);
  shown.push(await gallery.show('a', draw));
  expect(shown.map(String)).toEqual(['picture 1', 'picture 1', 'picture 1']);
});

test('a drawing that failed is tried again', async () => {
  const gallery = new Gallery();
  await expect(gallery.show('a', () => Promise.reject(new Error('no paint')))).rejects.toThrow();
  expect(String(await gallery.show('a', async () => Buffer.from('here')))).toBe('here');
});

test('memory is bounded: the picture that was not asked for longest goes', async () => {
  const gallery = new Gallery();
  const drawn: string[] = [];
  const show = (name: string) =>
    gallery.show(name, async () => {
      drawn.push(name);
      return Buffer.alloc(10 * MEBIBYTE);
    });
  for (const name of ['a', 'b', 'a', 'c', 'a', 'b']) await show(name);
  expect(drawn).toEqual(['a', 'b', 'c', 'b']);
});
