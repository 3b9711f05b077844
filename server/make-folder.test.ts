import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { makeFolder } from './make-folder.ts';

test('make folder: creates a folder and its parents, or accepts an existing one', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'tessera-folder-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const folder = join(parent, 'a', 'b', 'c');
  await makeFolder(folder);
  await makeFolder(folder);
  expect((await stat(folder)).isDirectory()).toBe(true);
});

test('make folder: throws if the path is a file', async () => {
  await expect(makeFolder(import.meta.filename)).rejects.toThrow('EEXIST');
});

test.runIf(process.platform === 'linux')(
  'make folder: throws if the folder cannot be created',
  async () => {
    await expect(makeFolder('/proc/tessera/data')).rejects.toThrow('ENOENT');
  },
);
