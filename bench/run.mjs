// npm run bench: measures everything and writes docs/performance.md. Arguments select parts by name;
// --release stores the figures as those of the version in package.json. BENCH_DIST is the folder of
// another build to measure.
import { Console } from 'node:console';
import { existsSync } from 'node:fs';

import { build, checkNode, fail, install, run } from '../scripts/ready.mjs';
import { measureAttacks } from './attack.mjs';
import { measureGroupCommit } from './group-commit.mjs';
import { measureMemory } from './memory.mjs';
import { measureMisses } from './miss.mjs';
import { measurePage } from './page.mjs';
import { measureLog, measurePaths } from './paths.mjs';
import { lastFigures, saveFigures, toRows } from './report.mjs';
import { createRig } from './rig.mjs';
import { measureSaveCpu, measureSlowDisk } from './saves.mjs';
import { measureStart } from './start.mjs';

const PARTS = {
  paths: measurePaths,
  log: measureLog,
  misses: measureMisses,
  saves: measureSaveCpu,
  'slow-disk': measureSlowDisk,
  'group-commit': measureGroupCommit,
  start: measureStart,
  attacks: measureAttacks,
  memory: measureMemory,
  page: measurePage,
};
const PROGRAMS = {
  wrk: '/usr/bin/wrk',
  gcc: '/usr/bin/cc',
};

const isRelease = process.argv.includes('--release');
const selected = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const unknown = selected.filter((name) => !Object.hasOwn(PARTS, name));
if (unknown.length > 0)
  fail(`Unknown: ${unknown.join(', ')}. Parts: ${Object.keys(PARTS).join(', ')}.`);

checkNode();
install();
build();
for (const [name, path] of Object.entries(PROGRAMS)) {
  if (!existsSync(path)) run('apt-get', ['install', '-y', '-qq', name]);
  if (!existsSync(path)) fail(`The bench needs ${name} (Debian: apt-get install ${name}).`);
}

const terminal = new Console(process.stdout, process.stderr);
const rig = await createRig(process.env.BENCH_DIST);
try {
  for (const [name, measure] of Object.entries(PARTS)) {
    if (selected.length === 0 || selected.includes(name)) await runPart(name, measure);
  }
} finally {
  rig.dispose();
}

/** Measures a part, prints its table and saves its figures. The others are measured if it fails. */
async function runPart(name, measure) {
  const startedAt = performance.now();
  try {
    const figures = await measure(rig);
    const seconds = Math.round((performance.now() - startedAt) / 1000);
    terminal.log(`\n${name} (${seconds} s)`);
    terminal.table(toRows(name, figures, lastFigures()));
    saveFigures(figures, { isRelease });
  } catch (error) {
    terminal.error(`\n${name} was not measured.`, error);
    process.exitCode = 1;
  }
}
