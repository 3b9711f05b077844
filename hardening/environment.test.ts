import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';
import { unpack } from '#tests/support/container.ts';
import { newFolder } from '#tests/support/folder.ts';

/** Runs tests by a program, without the variables of the vitest that runs this file; returns the exit status. */
function runTests(node: string, environment: Record<string, string>, ...args: string[]) {
  const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', ...args];
  const env = { PATH: `${join(node, '..')}:${process.env['PATH'] ?? ''}`, ...environment };
  return spawnSync(node, vitest, { cwd: ROOT, env, stdio: 'inherit' }).status;
}

test('Node 24: the tests of the server pass', () => {
  const folder = newFolder();
  unpack(folder, `node-linux-${process.arch}@24`, 'node');
  const node = join(folder, 'node/package/bin/node');
  expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^v24\./);
  expect(runTests(node, {}, 'server/')).toBe(0);
});

const ZONES = ['America/St_Johns', 'Pacific/Kiritimati', 'UTC'];

test.each(ZONES)('zone %s of the machine: the tests of every layer pass', (TEST_ZONE) => {
  const layers = ['domain/', 'contract/', 'view/', 'server/', 'web/'];
  expect(runTests(process.execPath, { TEST_ZONE }, '--project=shared', ...layers)).toBe(0);
});
