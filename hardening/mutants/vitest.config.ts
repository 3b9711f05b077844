import { join } from 'node:path';

import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: join(import.meta.dirname, '..', '..'),
  cacheDir: '.cache/vitest-mutants',
  test: {
    include: JSON.parse(process.env['MUTANT_TESTS'] ?? '[]') as string[],
    provide: {
      postgresUrl: '',
      sqliteTemplate: process.env['MUTANT_SQLITE_TEMPLATE'] ?? '',
      postgresTemplate: '',
    },
    // One worker imports the code once for all files. Each mutant has a worker of its own.
    isolate: false,
    maxWorkers: 1,
    // Ends a mutant that waits forever. `timeoutMS` of StrykerJS ends one that loops forever.
    testTimeout: 15_000,
  },
});
