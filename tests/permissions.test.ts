import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ENTRY, startServer } from './support/server.ts';
import { UNPRIVILEGED } from './support/unprivileged.ts';
import { newFolder } from './support/folder.ts';

/** Returns the permissions of a folder and of everything in it, in octal digits, by path. */
function permissions(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();
  return Object.fromEntries(
    ['.', ...paths].map((path) => [path, (statSync(join(folder, path)).mode & 0o777).toString(8)]),
  );
}

test('data folder: only its owner can read a new one', async () => {
  const dataDir = join(newFolder(), 'data');
  const server = await startServer({ DATA_DIR: dataDir });
  await fetch(`${server.origin}/readyz`);
  const files =
    'lock.sqlite lock.sqlite-journal secret tessera.sqlite tessera.sqlite-shm tessera.sqlite-wal';
  const modes = Object.fromEntries(files.split(' ').map((name) => [name, '600']));
  expect(permissions(dataDir)).toEqual({ '.': '700', photos: '700', ...modes });
  await server.stop();
});

test('data folder: the permissions of an existing one are corrected at start', async () => {
  const dataDir = newFolder();
  await (await startServer({ DATA_DIR: dataDir })).stop('SIGKILL');
  mkdirSync(join(dataDir, 'photos'), { recursive: true });
  writeFileSync(join(dataDir, 'photos/old.jpg'), 'a photo');
  for (const path of Object.keys(permissions(dataDir)))
    chmodSync(join(dataDir, path), ['.', 'photos'].includes(path) ? 0o755 : 0o644);
  const server = await startServer({ DATA_DIR: dataDir });
  const { '.': folder, photos, ...files } = permissions(dataDir);
  expect([folder, photos, ...new Set(Object.values(files))]).toEqual(['700', '700', '600']);
  expect(Object.keys(files)).toContain('tessera.sqlite-wal');
  await server.stop();
});

/** Starts the server without root's capability to open every file; returns its error. */
function startUnprivileged(dataDir: string): string {
  const [program, ...args] = [...UNPRIVILEGED, process.execPath, ENTRY];
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dataDir };
  return spawnSync(program, args, { env, encoding: 'utf8', timeout: 20_000 }).stderr;
}

test.each(['tessera.sqlite', 'photos', 'secret'])(
  'data folder: a %s that cannot be opened is an error with its path and what to do',
  async (name) => {
    const dataDir = newFolder();
    await (await startServer({ DATA_DIR: dataDir })).stop();
    mkdirSync(join(dataDir, 'photos'), { recursive: true });
    const path = join(dataDir, name);
    chmodSync(path, 0o000);
    expect(startUnprivileged(dataDir)).toBe(
      `DATA_DIR: ${path} cannot be read and written (EACCES). Make the user of the service its owner: chown -R ${process.getuid?.()} ${dataDir}\n`,
    );
  },
);
