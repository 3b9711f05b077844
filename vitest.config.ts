import { readFileSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

const COMMON = { css: true, testTimeout: 60_000, hookTimeout: 60_000 };

/** Files that replace a module for the whole process. */
const REPLACING = ['server/db/sqlite.test.ts', 'server/wallet/wallet.test.ts'];

/** The tests that import the clock run in two time zones: no day of the product is one of the machine. */
const CLOCK_TESTS = readdirSync('server', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `server/${name}`)
  .filter((path) => /CLOCK_START|fixedClock|server\/clock/.test(readFileSync(path, 'utf8')));

export default defineConfig({
  cacheDir: '.cache/vitest',
  test: {
    globalSetup: ['tests/support/postgres.ts'],
    // One more than there are cores, because some tests wait for timeouts.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        // A worker imports the code once for all these files.
        test: {
          ...COMMON,
          name: 'shared',
          isolate: false,
          include: ['{domain,contract,view,server}/**/*.test.{ts,tsx}'],
          exclude: REPLACING,
          env: { TZ: 'Asia/Kolkata' },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'west',
          isolate: false,
          include: [...CLOCK_TESTS, 'server/analytics/*.test.ts'],
          env: { TZ: 'America/St_Johns' },
        },
      },
      {
        test: {
          ...COMMON,
          name: 'separate',
          include: [
            ...REPLACING,
            'web/**/*.test.{ts,tsx}',
            '{bench,scripts}/*.test.mjs',
            'tests/*.test.ts',
          ],
        },
      },
    ],
  },
});
