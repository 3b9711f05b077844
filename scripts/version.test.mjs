import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test, vi } from 'vitest';

import { newFolder } from '#tests/support/folder.ts';

import { readCommitTime, readVersion } from './version.mjs';

const SCRIPT = join(import.meta.dirname, '..', 'deploy', 'version.sh');

let folder = '';
beforeEach(() => {
  folder = newFolder();
  writeFileSync(join(folder, 'package.json'), '{\n  "version": "1.1.0",\n  "private": true\n}');
  cpSync(SCRIPT, join(folder, 'deploy', 'version.sh'));
});

const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

/** Both ways to read it have the same answer. */
function version() {
  const result = readVersion(folder);
  const script = join(folder, 'deploy', 'version.sh');
  expect(execFileSync('sh', [script], { encoding: 'utf8' }).trim()).toBe(result);
  return result;
}

const commit = (message) => git('commit', '--quiet', '--allow-empty', '--message', message);
const head = () => git('rev-parse', 'HEAD').slice(0, 7);

test('version: belongs to one commit, the first that is called its release', () => {
  expect(version()).toBe('1.1.0+dev');
  git('init', '--quiet');
  commit('Release 1.0.0');
  expect(version()).toBe(`1.1.0+${head()}`);
  commit('Release 1.1.0\n\nWhy');
  expect(version()).toBe('1.1.0');
  for (const message of ['Mention Release 1.1.0', 'Release 1.1.0']) {
    commit(message);
    expect(version()).toBe(`1.1.0+${head()}`);
  }
});

test('release: a version that has its commit is refused', () => {
  git('init', '--quiet');
  for (const name of ['release.mjs', 'version.mjs', 'ready.mjs', 'check-node.cjs'])
    cpSync(join(import.meta.dirname, name), join(folder, 'scripts', name));
  git('add', '.');
  commit('Release 1.1.0');
  const released = git('rev-parse', 'HEAD');
  commit('Release 1.1.0');
  const { status, stderr } = spawnSync(process.execPath, ['scripts/release.mjs'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stderr).toContain(`Version 1.1.0 is released already, as commit ${released}.`);
});

test('version: without git it is that of the archive', () => {
  writeFileSync(join(folder, 'version.txt'), '1.1.0+0123abc\n');
  expect(readVersion(folder)).toBe('1.1.0+0123abc');
});

test('commit time: is that of the commit, or SOURCE_DATE_EPOCH; without git the present time', () => {
  expect(Math.abs(readCommitTime(folder) - Date.now() / 1000)).toBeLessThan(60);
  git('init', '--quiet');
  vi.stubEnv('GIT_COMMITTER_DATE', '2026-01-02T03:04:05Z');
  git('commit', '--quiet', '--allow-empty', '--message', 'First');
  expect(readCommitTime(folder)).toBe(Date.UTC(2026, 0, 2, 3, 4, 5) / 1000);
  vi.stubEnv('SOURCE_DATE_EPOCH', '1700000000');
  expect(readCommitTime(folder)).toBe(1_700_000_000);
  vi.unstubAllEnvs();
});
