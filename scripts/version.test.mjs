import { execFileSync } from 'node:child_process';
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

test('version: is that of package.json only at the commit of its release', () => {
  expect(version()).toBe('1.1.0-dev');
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message', 'Release 1.0.0');
  const development = `1.1.0-dev+${git('rev-parse', 'HEAD').slice(0, 7)}`;
  expect(version()).toBe(development);
  git('commit', '--quiet', '--allow-empty', '--message', 'Release 1.1.0\n\nWhy');
  expect(version()).toBe('1.1.0');
  git('commit', '--quiet', '--allow-empty', '--message', 'Second');
  expect(version()).toMatch(/^1\.1\.0-dev\+[0-9a-f]{7}$/);
  expect(version()).not.toBe(development);
});

test('version: without git it is that of the archive', () => {
  writeFileSync(join(folder, 'version.txt'), '1.1.0-dev+0123abc\n');
  expect(readVersion(folder)).toBe('1.1.0-dev+0123abc');
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
