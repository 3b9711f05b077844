import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { openPhotoFolder } from './photo-folder.ts';

const RED = { name: 'red.jpg', bytes: Buffer.from('red') };
const BLUE = { name: 'blue.jpg', bytes: Buffer.from('blue') };

let parent = '';
let folder = '';
beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'tessera-folder-'));
  folder = join(parent, 'photos');
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

test('what is kept can be read, listed and removed, and nothing unfinished stays', async () => {
  const photos = openPhotoFolder(folder);
  expect(await photos.list()).toEqual([]);
  await photos.keep([RED, BLUE]);
  expect(await photos.read('red.jpg')).toEqual(RED.bytes);
  expect((await photos.list()).map(({ name }) => name).toSorted()).toEqual(['blue.jpg', 'red.jpg']);
  await photos.remove(['red.jpg', 'gone.jpg']);
  expect(await photos.read('red.jpg')).toBeNull();
  expect(readdirSync(folder)).toEqual(['blue.jpg']);
});

test('a file that is kept again is young again, so that no sweep takes it', async () => {
  const photos = openPhotoFolder(folder);
  await photos.keep([RED]);
  const [first] = await photos.list();
  await new Promise((resolve) => setTimeout(resolve, 20));
  await photos.keep([RED]);
  const [second] = await photos.list();
  expect(second?.keptAt).toBeGreaterThan(first?.keptAt ?? Infinity);
});

test('a folder that cannot be written says not saved', async () => {
  mkdirSync(parent, { recursive: true });
  writeFileSync(folder, 'a file where the folder should be');
  const photos = openPhotoFolder(folder);
  await expect(photos.keep([RED])).rejects.toMatchObject({ word: 'unavailable', status: 503 });
  await expect(photos.check()).rejects.toThrow();
});
