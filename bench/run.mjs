// npm run bench: measures the build of this checkout and writes .cache/performance.md. Arguments select
// measurements by name. --against <folder> measures the build of another checkout too, in turn: A, B, A, B.
// --rounds, --cards, --rate and --seconds are for a quick look.
import { Console } from 'node:console';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { ROOT, build, fail } from '#scripts/ready.mjs';
import { measureHotCard, measureMisses, measureTail } from './card.mjs';
import { measureContacts } from './contacts.mjs';
import { measureMillion } from './million.mjs';
import { median } from './numbers.mjs';
import { measureSaves } from './saves.mjs';
import { createSetup } from './setup.mjs';
import { measureTables } from './tables.mjs';
import { measureVisits } from './visit.mjs';

const PAGE = join(ROOT, '.cache', 'performance.md');

/** Each measurement has a number of rounds, and its figures are the medians of these rounds. */
const MEASUREMENTS = {
  card: { measure: measureHotCard, rounds: 5 },
  misses: { measure: measureMisses, rounds: 5 },
  tail: { measure: measureTail, rounds: 3 },
  saves: { measure: measureSaves, rounds: 3 },
  contacts: { measure: measureContacts, rounds: 3 },
  tables: { measure: measureTables, rounds: 3 },
  visits: { measure: measureVisits, rounds: 3 },
  million: { measure: measureMillion, rounds: 1 },
};

const OPTIONS = ['against', 'rounds', 'cards', 'rate', 'seconds'];
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: Object.fromEntries(OPTIONS.map((name) => [name, { type: 'string' }])),
});
const unknown = positionals.filter((name) => !Object.hasOwn(MEASUREMENTS, name));
if (unknown.length > 0)
  fail(`Unknown: ${unknown.join(', ')}. Measurements: ${Object.keys(MEASUREMENTS).join(', ')}.`);
const selected = positionals.length === 0 ? Object.keys(MEASUREMENTS) : positionals;
if (!existsSync('/usr/bin/cc')) fail('The bench needs gcc.');

build();
const checkouts = [ROOT, ...(values.against === undefined ? [] : [resolve(values.against)])];
const terminal = new Console(process.stdout, process.stderr);
const setups = [];
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => process.exit(1));
process.on('exit', () => setups.forEach((setup) => setup.dispose()));
for (const checkout of checkouts) setups.push(await createSetup(checkout));
const measured = [];
for (const name of selected) {
  const added = await measurePart(name);
  terminal.table(added);
  measured.push(...added);
}
writePage(measured);

/** Returns a row for each figure with the median of each build, and the ratio if there are two builds. */
async function measurePart(name) {
  const { measure, rounds: usual } = MEASUREMENTS[name];
  const rounds = Number(values.rounds ?? usual);
  const results = setups.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, setup] of setups.entries())
      results[index].push(await measure(setup, values));
  }
  return Object.keys(results[0][0]).map((figure) => {
    const [ours, other] = results.map((all) => median(all.map((one) => one[figure])));
    const ratio =
      other === undefined ? {} : { against: format(other), ratio: format(ours / other) };
    return { figure, 'this build': format(ours), ...ratio };
  });
}

function writePage(rows) {
  const [cpu, ...others] = cpus();
  const memoryGb = Math.round(totalmem() / 1e9);
  const machine = `${others.length + 1} × ${cpu.model.trim()}, ${memoryGb} GB, Linux ${release()}, Node ${process.versions.node}`;
  const names = Object.keys(rows[0]);
  const lines = [names, names.map(() => '---'), ...rows.map((row) => Object.values(row))];
  const table = lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
  mkdirSync(join(ROOT, '.cache'), { recursive: true });
  writeFileSync(PAGE, `# Performance\n\n${machine}\n\n${table}\n`);
}

function format(value) {
  if (Number.isNaN(value)) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
