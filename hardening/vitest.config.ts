import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

const HOUR_MS = 3_600_000;

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  cacheDir: '.cache/vitest-hardening',
  test: {
    include: ['hardening/*.test.ts', 'tests/{crash,fuzz}.test.ts'],
    // npm test has few rounds of these two.
    env: {
      HARDENING_CRASHES: process.env['HARDENING_CRASHES'] ?? '1000',
      HARDENING_FUZZ: process.env['HARDENING_FUZZ'] ?? '100000',
      HARDENING_SEED: process.env['HARDENING_SEED'] ?? String(Date.now() % 1_000_000_000),
    },
    globalSetup: ['tests/support/postgres.ts'],
    // One file at a time: each test needs the whole machine.
    fileParallelism: false,
    testTimeout: 2 * HOUR_MS,
    hookTimeout: 300_000,
  },
});
