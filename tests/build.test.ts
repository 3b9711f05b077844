import { execFile } from 'node:child_process';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeEach, expect, test } from 'vitest';

import { copyProgram } from './support/program-folder.ts';
import { newFolder } from './support/folder.ts';

const BUILDS_TIMEOUT_MS = 120_000;

let folder = '';
beforeEach(() => {
  folder = join(newFolder(), 'tessera');
  copyProgram(folder);
});

function run(...args: string[]): Promise<{ code: number; output: string; errors: string }> {
  // Vitest sets NODE_ENV, and Vite would build for development.
  const { PATH } = process.env;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: folder, env: { PATH } }, (error, output, errors) =>
      resolve({ code: Number(error?.code ?? 0), output, errors }),
    );
  });
}

test(
  'build: replaces the old one only when it is complete',
  { timeout: BUILDS_TIMEOUT_MS },
  async () => {
    const service = join(folder, 'server/start/service.ts');
    const source = readFileSync(service, 'utf8');
    appendFileSync(service, 'export const = 1;');
    expect(await run('scripts/build.mjs')).toMatchObject({ code: 1 });
    const version = ['scripts/command.mjs', 'admin', '--version'];
    const output = expect.stringMatching(/^\d+\.\d+\.\d+(-dev(\+[0-9a-f]{7})?)?\n$/) as string;
    expect(await run(...version)).toEqual({
      code: 0,
      output,
      errors: 'dist/ is older than the sources. To build it again: npm run build\n',
    });
    expect(await run('dist/server/main.js', '--version')).toMatchObject({ code: 0, output });

    writeFileSync(service, source);
    expect(await run('scripts/build.mjs')).toMatchObject({ code: 0 });
    expect(await run(...version)).toEqual({ code: 0, output, errors: '' });
    expect(await run('dist/server/main.js', '--version')).toMatchObject({ code: 0, output });
  },
);

test('npm ci: no package rejects this version of Node', async () => {
  const flags = ['--dry-run', '--offline', '--engine-strict', '--no-audit', '--no-fund'];
  const env = { PATH: process.env['PATH'], HOME: folder };
  const errorsOf = () =>
    new Promise<string>((resolve) => {
      execFile('npm', ['ci', ...flags], { cwd: folder, env }, (_error, _output, errors) =>
        resolve(errors),
      );
    });
  expect(await errorsOf()).not.toContain('npm error');
  const lock = join(folder, 'package-lock.json');
  const needsNewer = readFileSync(lock, 'utf8').replace('"node": ">=18"', '"node": ">=99"');
  writeFileSync(lock, needsNewer);
  expect(await errorsOf()).toContain('EBADENGINE');
});
