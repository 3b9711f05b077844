import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test, vi } from 'vitest';

import { newFolder } from '#tests/support/folder.ts';

import { readCommitTime, readVersion } from './version.mjs';

let folder = '';
beforeEach(() => {
  folder = newFolder();
  writeFileSync(join(folder, 'package.json'), '{"version":"1.1.0"}');
});

const git = (...args) =>
  execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
    stdio: 'pipe',
  }).trim();

test('version: is that of package.json only where the commit has its tag', () => {
  expect(readVersion(folder)).toBe('1.1.0-dev');
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message', 'First');
  git('tag', 'v1.0.0');
  const development = `1.1.0-dev+${git('rev-parse', 'HEAD').slice(0, 7)}`;
  expect(readVersion(folder)).toBe(development);
  git('tag', '--annotate', 'v1.1.0', '--message', '1.1.0');
  expect(readVersion(folder)).toBe('1.1.0');
  git('commit', '--quiet', '--allow-empty', '--message', 'Second');
  expect(readVersion(folder)).toMatch(/^1\.1\.0-dev\+[0-9a-f]{7}$/);
  expect(readVersion(folder)).not.toBe(development);
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
