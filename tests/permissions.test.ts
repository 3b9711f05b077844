import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ENTRY, startServer } from './support/server.ts';
import { UNPRIVILEGED } from './support/unprivileged.ts';
import { newFolder } from './support/folder.ts';

const START_TIMEOUT_MS = 20_000;

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
  expect(permissions(dataDir)).toEqual({
    '.': '700',
    'lock.sqlite': '600',
    'lock.sqlite-journal': '600',
    photos: '700',
    secret: '600',
    'tessera.sqlite': '600',
    'tessera.sqlite-shm': '600',
    'tessera.sqlite-wal': '600',
  });
  await server.stop();
});

test('data folder: the permissions of an existing one are corrected at start', async () => {
  const dataDir = newFolder();
  await (await startServer({ DATA_DIR: dataDir })).stop('SIGKILL');
  const photos = join(dataDir, 'photos');
  mkdirSync(photos, { recursive: true });
  writeFileSync(join(photos, 'old.jpg'), 'a photo');
  for (const path of Object.keys(permissions(dataDir))) {
    const file = join(dataDir, path);
    chmodSync(file, statSync(file).isDirectory() ? 0o755 : 0o644);
  }
  const server = await startServer({ DATA_DIR: dataDir });
  const found = permissions(dataDir);
  expect(Object.keys(found)).toContain('tessera.sqlite-wal');
  expect(found).toEqual(
    Object.fromEntries(
      Object.keys(found).map((path) => [path, ['.', 'photos'].includes(path) ? '700' : '600']),
    ),
  );
  await server.stop();
});

/** Starts the server without root's capability to open every file; returns its error. */
function startUnprivileged(dataDir: string): string {
  const [program, ...args] = [...UNPRIVILEGED, process.execPath, ENTRY];
  const env = { PATH: process.env['PATH'] ?? '', PORT: '0', DATA_DIR: dataDir };
  return spawnSync(program, args, { env, encoding: 'utf8', timeout: START_TIMEOUT_MS }).stderr;
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
