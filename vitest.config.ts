import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

/** So long that a busy machine is no failure; only a test that hangs is. */
const TIMEOUT_MS = 300_000;
const COMMON = { css: true, testTimeout: TIMEOUT_MS, hookTimeout: TIMEOUT_MS };

/** Files that change what others of their process see: a module, a global of the browser, NODE_ENV. */
const SEPARATE = [
  'server/db/sqlite.test.ts',
  'server/wallet/wallet.test.ts',
  'web/{http,profile}/*.test.ts',
  'tests/owner-pages-size.test.ts',
];

/** Files of tests/ start whole services. They come first, so that none runs alone at the end. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isSlow = ({ moduleId }: TestSpecification) => Number(moduleId.includes('/tests/'));
    return (await super.sort(files)).toSorted((one, other) => isSlow(other) - isSlow(one));
  }
}

export default defineConfig({
  cacheDir: '.cache/vitest',
  test: {
    globalSetup: ['tests/support/postgres.ts'],
    sequence: { sequencer: SlowFirst },
    // One more than there are cores, because some tests wait for timeouts.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        // A worker imports the code once for all these files.
        test: {
          ...COMMON,
          name: 'shared',
          isolate: false,
          include: [
            '{domain,contract,view,server,web}/**/*.test.{ts,tsx}',
            '{bench,scripts}/*.test.mjs',
            'tests/*.test.ts',
          ],
          exclude: SEPARATE,
          env: { TZ: process.env['TEST_ZONE'] ?? 'Asia/Kolkata' },
        },
      },
      {
        // No day of the product is one of the machine. `npm run hardening -- zones` has all files.
        test: {
          ...COMMON,
          name: 'west',
          isolate: false,
          include: [
            'domain/*-time.test.ts',
            'server/analytics/*.test.ts',
            'server/{db/cleanup,contact/contact-export}.test.ts',
          ],
          env: { TZ: 'America/St_Johns' },
        },
      },
      { test: { ...COMMON, name: 'separate', include: SEPARATE } },
    ],
  },
});
