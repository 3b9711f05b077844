import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  cacheDir: '.cache/vitest-mutants',
  test: {
    include: (process.env['MUTANT_TESTS'] ?? '').split(','),
    provide: { postgresUrl: '' },
    testTimeout: 20_000,
  },
});
