import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

const HOUR_MS = 3_600_000;

export default defineConfig({
  root: join(import.meta.dirname, '..'),
  cacheDir: '.cache/vitest-hardening',
  test: {
    include: ['hardening/*.test.ts', 'tests/{crash,fuzz}.test.ts'],
    // npm test runs these two with few rounds.
    env: {
      HARDENING_CRASHES: process.env['HARDENING_CRASHES'] ?? '1000',
      HARDENING_FUZZ: process.env['HARDENING_FUZZ'] ?? '100000',
      HARDENING_SEED: process.env['HARDENING_SEED'] ?? String(Date.now() % 1_000_000_000),
    },
    globalSetup: ['tests/support/postgres.ts'],
    // Each test needs the whole machine, so files run one after the other.
    fileParallelism: false,
    testTimeout: 2 * HOUR_MS,
    hookTimeout: 300_000,
  },
});
