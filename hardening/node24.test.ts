import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';
import { unpack } from '#tests/support/container.ts';
import { newFolder } from '#tests/support/folder.ts';
import { print } from '#tests/support/print.ts';

test('Node 24: the tests of the server pass', () => {
  const folder = newFolder();
  unpack(folder, `node-linux-${process.arch}@24`, 'node');
  const node = join(folder, 'node/package/bin/node');
  expect(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout).toMatch(/^v24\./);
  const vitest = [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', 'server/'];
  // Without the variables of the vitest that runs this test.
  const env = { PATH: `${join(node, '..')}:${process.env['PATH'] ?? ''}` };
  const { status, stdout, stderr } = spawnSync(node, vitest, { cwd: ROOT, env, encoding: 'utf8' });
  print((stdout + stderr).match(/^.*(FAIL|Test Files|Tests ).*$/gm)?.join('\n') ?? '');
  expect(status).toBe(0);
});
