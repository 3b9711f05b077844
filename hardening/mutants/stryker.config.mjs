// StrykerJS for one group of files; the environment variable MUTANT_GROUP names it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const GROUPS = JSON.parse(readFileSync(join(import.meta.dirname, 'groups.json'), 'utf8'));
const name = process.env.MUTANT_GROUP ?? '';
const group = GROUPS[name];
if (!group) throw new Error(`MUTANT_GROUP is one of ${Object.keys(GROUPS).join(', ')}.`);
process.env.MUTANT_TESTS = JSON.stringify(group.tests);

export default {
  mutate: [...group.mutated, '!**/*.test.ts', '!**/*.d.ts'],
  testRunner: 'vitest',
  // The tests of a group are listed, so Vitest need not look for the tests of a file.
  vitest: { configFile: 'hardening/mutants/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  // The types are checked by `npm run types`; without this file StrykerJS does not load TypeScript,
  // whose version 7 lacks the functions that it calls.
  tsconfigFile: 'none.json',
  disableTypeChecks: false,
  tempDirName: `.cache/mutants-${name}`,
  ignorePatterns: ['.cache', 'dist', 'data', 'shots', 'test-results'],
  reporters: ['clear-text'],
  thresholds: { high: 95, low: 90, break: 85 },
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false, skipFull: true },
  warnings: { slow: false },
};
