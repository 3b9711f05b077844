import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, expect, test } from 'vitest';

import { checkDemo } from '#tests/support/demo.ts';
import { buildRelease } from '#tests/support/previous-version.ts';
import { print } from '#tests/support/print.ts';

const ARCHIVE_SIZE_BYTES_MAX = 60_000_000;

const release = buildRelease();
afterAll(() => release.remove());

const names = readdirSync(release.release);
const read = (name: string) => readFileSync(join(release.release, name), 'utf8');

test('release: two clones of one commit give the same bytes, below 60 MB an archive', () => {
  const archives = names.filter((name) => name.endsWith('.tar.gz'));
  const systems = archives.map((name) => name.replace(/.*-linux-/, ''));
  expect(systems).toEqual(['arm64.tar.gz', 'x64.tar.gz']);
  for (const name of archives) {
    const { size } = statSync(join(release.release, name));
    print(`${name}: ${(size / 1e6).toFixed(1)} MB`);
    expect(size).toBeLessThan(ARCHIVE_SIZE_BYTES_MAX);
  }
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release.release });
  expect(read('SHA256SUMS').trim().split('\n')).toHaveLength(names.length - 1);

  const second = buildRelease();
  expect(readFileSync(join(second.release, 'SHA256SUMS'), 'utf8')).toBe(read('SHA256SUMS'));
  second.remove();
});

test('release: runs the demo', () => checkDemo([join(release.folder, 'tessera'), 'demo']));

test('release: does not start with its data in the folder of the program', () => {
  const { folder: cwd } = release;
  for (const command of ['./tessera start', 'npm start']) {
    const [program = '', ...args] = command.split(' ');
    const { status, stderr } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: 20_000 });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^DATA_DIR is not set, /m)]);
  }
});

test('release: its list of parts has every package that is inside', () => {
  const list = read(names.find((name) => name.endsWith('-linux-x64.cdx.json')) ?? '');
  const { components } = JSON.parse(list) as { components: { name: string }[] };
  const known = new Set(components.map(({ name }) => name));
  const packages = readdirSync(join(release.folder, 'node_modules'));
  expect(packages.filter((name) => !/^[.@]/.test(name) && !known.has(name))).toEqual([]);
});
