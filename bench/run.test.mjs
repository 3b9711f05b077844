import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

test('npm run bench: an unknown measurement is answered with the list of all', () => {
  const program = join(import.meta.dirname, 'run.mjs');
  const { status, stderr } = spawnSync(process.execPath, [program, 'x'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([
    1,
    expect.stringMatching(/^Unknown: x\. Measurements: card, /),
  ]);
});
