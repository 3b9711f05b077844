import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ENTRY, startServer } from './support/server.ts';
import { UNPRIVILEGED } from './support/unprivileged.ts';
import { newFolder } from './support/folder.ts';

function permissions(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    ['.', ...paths].map((path) => [path, (statSync(join(folder, path)).mode & 0o777).toString(8)]),
  );
}

test('data folder: only its owner can read a new one, and the permissions of another are corrected at start', async () => {
  const dataDir = join(newFolder(), 'data');
  const start = async () => {
    const server = await startServer({ DATA_DIR: dataDir });
    await fetch(`${server.origin}/readyz`);
    return server;
  };
  const first = await start();
  const files =
    'lock.sqlite lock.sqlite-journal secret tessera.sqlite tessera.sqlite-shm tessera.sqlite-wal';
  const modes = Object.fromEntries(files.split(' ').map((name) => [name, '600']));
  const pages = readdirSync(join(dataDir, 'cache')).map((name) => [`cache/${name}`, '600']);
  const folders = { '.': '700', cache: '700', photos: '700', uploads: '700' };
  const expected = { ...folders, ...Object.fromEntries(pages), ...modes };
  expect(permissions(dataDir)).toEqual(expected);
  await first.stop('SIGKILL');

  writeFileSync(join(dataDir, 'photos/old.jpg'), 'a photo');
  // Nobody else can read what is in a folder of mode 0700.
  for (const path of Object.keys(permissions(dataDir)).filter((one) => !one.startsWith('cache/')))
    chmodSync(join(dataDir, path), path in folders ? 0o755 : 0o644);
  const second = await start();
  expect(permissions(dataDir)).toEqual({ ...expected, 'photos/old.jpg': '600' });
  await second.stop();
});

test.each(['tessera.sqlite', 'photos', 'uploads', 'secret'])(
  'data folder: an unreadable %s',
  async (name) => {
    const dataDir = newFolder();
    await (await startServer({ DATA_DIR: dataDir })).stop();
    mkdirSync(join(dataDir, 'photos'), { recursive: true });
    const path = join(dataDir, name);
    chmodSync(path, 0o000);
    // Without root's capability to open every file.
    const [program, ...args] = [...UNPRIVILEGED, process.execPath, ENTRY];
    const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dataDir };
    const options = { env, encoding: 'utf8', timeout: 120_000 } as const;
    expect(spawnSync(program, args, options).stderr).toBe(
      `DATA_DIR: ${path} cannot be read and written (EACCES). Make the user of the service its owner, who may write: chown -R ${process.getuid?.()} ${dataDir} && chmod -R u+rwX ${dataDir}\n`,
    );
  },
);
