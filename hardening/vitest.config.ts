import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

const HOUR_MS = 3_600_000;

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  cacheDir: '.cache/vitest-hardening',
  test: {
    include: ['hardening/*.test.ts'],
    globalSetup: ['tests/support/postgres.ts'],
    // One file at a time: each test needs the whole machine.
    fileParallelism: false,
    testTimeout: 2 * HOUR_MS,
    hookTimeout: 300_000,
  },
});
