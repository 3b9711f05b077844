import { execFile } from 'node:child_process';
import { appendFileSync } from 'node:fs';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { checkDemo } from './support/demo.ts';
import { copyProgram } from './support/program-folder.ts';
import { newFolder } from './support/folder.ts';

function runNode(cwd: string, ...args: string[]) {
  // Vitest sets NODE_ENV, and Vite would build for development.
  const env = { PATH: process.env['PATH'], HOME: cwd };
  return new Promise<{ code: number; output: string; errors: string }>((resolve) => {
    execFile(process.execPath, args, { cwd, env }, (error, output, errors) =>
      resolve({ code: Number(error?.code ?? 0), output, errors }),
    );
  });
}

test('build: one that fails leaves the old one', async () => {
  const folder = join(newFolder(), 'tessera');
  copyProgram(folder);
  const node = (...args: string[]) => runNode(folder, ...args);
  const version = ['scripts/command.mjs', 'admin', '--version'];
  const output = expect.stringMatching(/^\d+\.\d+\.\d+(\+([0-9a-f]{7}|dev))?\n$/) as string;
  expect(await node(...version)).toEqual({ code: 0, output, errors: '' });
  appendFileSync(join(folder, 'server/start/service.ts'), 'export const = 1;');
  expect(await node('scripts/build.mjs')).toMatchObject({ code: 1 });
  const errors = 'dist/ is older than the sources. To build it again: npm run build\n';
  expect(await node(...version)).toEqual({ code: 0, output, errors });
  expect(await node('dist/server/main.js', '--version')).toMatchObject({ code: 0, output });
});

test.each(['code', 'email', 'oidc'] as const)(
  'npm run demo, sign-in by %s: serves made-up people, contacts and visits, and removes its folder at the end',
  (way) =>
    checkDemo([process.execPath, join(import.meta.dirname, '../scripts/demo-service.mjs')], way),
);
