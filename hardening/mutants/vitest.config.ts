import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  cacheDir: '.cache/vitest-mutants',
  test: {
    include: JSON.parse(process.env['MUTANT_TESTS'] ?? '[]') as string[],
    provide: { postgresUrl: '' },
    // One worker imports the code once for all files. Each mutant has a worker of its own.
    isolate: false,
    maxWorkers: 1,
    // A mutant that waits for ever fails by this; one that loops for ever by timeoutMS of StrykerJS.
    testTimeout: 15_000,
  },
});
