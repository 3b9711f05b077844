import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';

/** So long that a busy machine is no failure; only a test that hangs is. */
const TIMEOUT_MS = 300_000;
const COMMON = {
  css: true,
  testTimeout: TIMEOUT_MS,
  hookTimeout: TIMEOUT_MS,
  // A busy machine can make a test fail. `npm test` names those that passed only at the second attempt.
  retry: process.env['CI'] ? 1 : 0,
  expect: { poll: { timeout: 30_000 } },
};

/** Files that change what others of their process see: a module, a global of the browser. */
const SEPARATE = [
  'server/adapter/database/sqlite.test.ts',
  'server/feature/wallet/wallet.test.ts',
  'web/shared/{http,profile}/*.test.ts',
];

export default defineConfig({
  cacheDir: '.cache/vitest',
  test: {
    globalSetup: ['tests/support/postgres.ts'],
    // One more than there are cores, because some tests wait for timeouts.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        // Projects run in the order of their names, so these long files are not left for the end.
        test: {
          ...COMMON,
          name: 'services',
          isolate: false,
          include: ['tests/*.test.ts'],
          exclude: SEPARATE,
        },
      },
      {
        // A worker imports the code once for all these files.
        test: {
          ...COMMON,
          name: 'shared',
          isolate: false,
          include: [
            '{domain,contract,view,server,web}/**/*.test.{ts,tsx}',
            '{bench,scripts}/*.test.mjs',
          ],
          exclude: SEPARATE,
          env: { TZ: process.env['TEST_ZONE'] ?? 'Asia/Kolkata' },
        },
      },
      {
        // No day of the product is one of the machine. `npm run hardening -- environment` has all files.
        test: {
          ...COMMON,
          name: 'west',
          isolate: false,
          include: [
            'domain/*-time.test.ts',
            'server/feature/analytics/*.test.ts',
            'server/{adapter/database/cleanup,feature/contact/contact-export}.test.ts',
          ],
          env: { TZ: 'America/St_Johns' },
        },
      },
      { test: { ...COMMON, name: 'separate', include: SEPARATE } },
    ],
  },
});
