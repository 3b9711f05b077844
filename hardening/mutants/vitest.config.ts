import { statSync } from 'node:fs';
import { join } from 'node:path';

import { defineConfig } from 'vitest/config';
import { BaseSequencer } from 'vitest/node';
import type { TestSpecification } from 'vitest/node';

const sizeOf = ({ moduleId }: TestSpecification) => statSync(moduleId).size;

/** Runs short files first: most mutants are killed by a unit test, and the first failure ends a run. */
class ShortFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((left, right) => sizeOf(left) - sizeOf(right));
  }
}

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
    sequence: { sequencer: ShortFilesFirst },
    // Ends a mutant that waits forever. `timeoutMS` of StrykerJS ends one that loops forever.
    testTimeout: 15_000,
  },
});
