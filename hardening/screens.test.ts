import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';

test('screens: every screen in every layout and language has no violation of axe and no overlap', () => {
  const { status } = spawnSync(
    join(ROOT, 'node_modules', '.bin', 'playwright'),
    ['test', 'tests/e2e/accessible.spec.ts', 'tests/e2e/language.spec.ts'],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, WHOLE_MATRIX: 'true' } },
  );
  expect(status).toBe(0);
});
