// npm run bench: measures everything and writes .cache/performance.md. Arguments select parts by name;
// --release stores the figures as those of the version in package.json. BENCH_DIST is the folder of
// another build to measure (in all parts but `start`).
import { Console } from 'node:console';
import { existsSync } from 'node:fs';

import { preparePrograms } from '#scripts/programs.mjs';
import { build, checkNode, fail } from '#scripts/ready.mjs';
import { measureAnalytics } from './analytics.mjs';
import { measureAttacks } from './attack.mjs';
import { measureContacts } from './contacts.mjs';
import { measureGroupCommit } from './group-commit.mjs';
import { measureMemory } from './memory.mjs';
import { measureMisses } from './miss.mjs';
import { measurePage } from './page.mjs';
import { measureLog, measurePaths } from './paths.mjs';
import { lastFigures, saveFigures, toRows } from './report.mjs';
import { createSetup } from './setup.mjs';
import { measureSaveCpu, measureSlowDisk } from './saves.mjs';
import { measureStart } from './start.mjs';
import { measureTail } from './tail.mjs';
import { measureTests } from './tests.mjs';

const MEASURES = {
  paths: measurePaths,
  log: measureLog,
  misses: measureMisses,
  saves: measureSaveCpu,
  'slow-disk': measureSlowDisk,
  'group-commit': measureGroupCommit,
  start: measureStart,
  attacks: measureAttacks,
  analytics: measureAnalytics,
  memory: measureMemory,
  tail: measureTail,
  contacts: measureContacts,
  page: measurePage,
  tests: measureTests,
};
const PROGRAMS = [
  { path: '/usr/bin/wrk', packageName: 'wrk' },
  { path: '/usr/bin/cc', packageName: 'gcc' },
];

const isRelease = process.argv.includes('--release');
const selected = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const unknown = selected.filter((name) => !Object.hasOwn(MEASURES, name));
if (unknown.length > 0)
  fail(`Unknown: ${unknown.join(', ')}. Parts: ${Object.keys(MEASURES).join(', ')}.`);

checkNode();
build();
preparePrograms(PROGRAMS, { isCi: Boolean(process.env.CI) });
for (const { path, packageName } of PROGRAMS) {
  if (!existsSync(path)) fail(`The bench needs ${packageName}.`);
}

const terminal = new Console(process.stdout, process.stderr);
const setup = await createSetup(process.env.BENCH_DIST);
try {
  for (const [name, measure] of Object.entries(MEASURES)) {
    if (selected.length === 0 || selected.includes(name)) await runPart(name, measure);
  }
} finally {
  setup.dispose();
}

/** Measures a part, prints its table and saves its figures. If it fails, the next parts are still measured. */
async function runPart(name, measure) {
  const startedAt = performance.now();
  try {
    const figures = await measure(setup);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    terminal.log(`\n${name} (${seconds} s)`);
    terminal.table(toRows(name, figures, lastFigures()));
    saveFigures(figures, { isRelease });
  } catch (error) {
    terminal.error(`\n${name} was not measured.`, error);
    process.exitCode = 1;
  }
}
