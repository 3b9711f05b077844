import { execFile } from 'node:child_process';
import { appendFileSync, copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { checkDemo } from './support/demo.ts';
import { copyProgram } from './support/program-folder.ts';
import { newFolder } from './support/folder.ts';

function run(cwd: string, program: string, ...args: string[]) {
  // Vitest sets NODE_ENV, and Vite would build for development.
  const env = { PATH: process.env['PATH'], HOME: cwd };
  return new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    execFile(program, args, { cwd, env }, (error, output, errors) =>
      resolve({ code: Number(error?.code ?? 0), output, errors }),
    );
  });
}

test('build: one that fails leaves the old one', async () => {
  const folder = join(newFolder(), 'tessera');
  copyProgram(folder);
  const node = (...args: string[]) => run(folder, process.execPath, ...args);
  const version = ['scripts/command.mjs', 'admin', '--version'];
  const output = expect.stringMatching(/^\d+\.\d+\.\d+(-dev(\+[0-9a-f]{7})?)?\n$/) as string;
  expect(await node(...version)).toEqual({ code: 0, output, errors: '' });
  appendFileSync(join(folder, 'server/start/service.ts'), 'export const = 1;');
  expect(await node('scripts/build.mjs')).toMatchObject({ code: 1 });
  expect(await node(...version)).toEqual({
    code: 0,
    output,
    errors: 'dist/ is older than the sources. To build it again: npm run build\n',
  });
  expect(await node('dist/server/main.js', '--version')).toMatchObject({ code: 0, output });
});

test('npm ci: no package rejects this version of Node', async () => {
  const folder = newFolder();
  for (const name of ['package.json', 'package-lock.json']) copyFileSync(name, join(folder, name));
  const lock = join(folder, 'package-lock.json');
  const flags = ['--dry-run', '--offline', '--engine-strict', '--no-audit', '--no-fund'];
  const install = () => run(folder, 'npm', 'ci', ...flags);
  expect((await install()).errors).not.toContain('npm error');
  writeFileSync(lock, readFileSync(lock, 'utf8').replace('"node": ">=18"', '"node": ">=99"'));
  expect((await install()).errors).toContain('EBADENGINE');
});

test('npm run demo: serves made-up people, contacts and visits, and removes its folder at the end', () =>
  checkDemo([process.execPath, join(import.meta.dirname, '../scripts/demo-service.mjs')]));
