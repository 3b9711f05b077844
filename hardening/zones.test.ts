import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

import { expect, test } from 'vitest';

import { ROOT } from '#scripts/ready.mjs';

test.each(['America/St_Johns', 'Pacific/Kiritimati', 'UTC'])(
  'zone %s of the machine: the tests of every layer pass',
  (zone) => {
    const { status } = spawnSync(
      join(ROOT, 'node_modules', '.bin', 'vitest'),
      ['run', '--project=shared', 'domain/', 'contract/', 'view/', 'server/', 'web/'],
      { cwd: ROOT, stdio: 'inherit', env: { ...process.env, TEST_ZONE: zone } },
    );
    expect(status).toBe(0);
  },
);
