import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { makeFolder } from './make-folder.ts';

test('a folder is made with those above it, and may be there already', async () => {
  const above = await mkdtemp(join(tmpdir(), 'tessera-folder-'));
  onTestFinished(() => rm(above, { recursive: true }));
  const folder = join(above, 'a', 'b', 'c');
  await makeFolder(folder);
  await makeFolder(folder);
  expect((await stat(folder)).isDirectory()).toBe(true);
});

test('a file in its place is refused', async () => {
  await expect(makeFolder(import.meta.filename)).rejects.toThrow('EEXIST');
});

test.runIf(process.platform === 'linux')('a folder that can never be made is refused', async () => {
  await expect(makeFolder('/proc/tessera/data')).rejects.toThrow('ENOENT');
});
