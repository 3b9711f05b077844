// Prints the figures and writes .cache/performance.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

import { ROOT, run } from '#scripts/ready.mjs';
import { FIGURES, PARTS } from './figures.mjs';

const FOLDER = join(ROOT, 'bench', 'figures');
const CURRENT = join(FOLDER, 'current.json');
const PAGE = join(ROOT, '.cache', 'performance.md');

const TABLE_HEAD =
  '| figure | last release | this run | target | met |\n| --- | --- | --- | --- | --- |';

/** Adds the figures of a part to those of other parts, and writes the page. */
export function saveFigures(added, { isRelease }) {
  const current = { machine: describeMachine(), figures: { ...read(CURRENT).figures, ...added } };
  mkdirSync(FOLDER, { recursive: true });
  for (const file of isRelease ? [CURRENT, releaseFile()] : [CURRENT]) {
    writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`);
  }
  writeFileSync(PAGE, renderPage());
  run(join(ROOT, 'node_modules', '.bin', 'oxfmt'), [FOLDER]);
}

/** Returns the stored figures beside those of the last release, in tables. */
function renderPage() {
  const { machine, figures } = read(CURRENT);
  const last = lastFigures();
  const parts = Object.entries(PARTS).map(([part, [title, method]]) => {
    const lines = toRows(part, figures, last).map((row) => `| ${Object.values(row).join(' | ')} |`);
    return `## ${title}\n\n${method}\n\n${TABLE_HEAD}\n${lines.join('\n')}\n`;
  });
  return `# Performance\n\nThis run: ${machine}.\n\n${parts.join('\n')}`;
}

/** Returns the figures of the last release; none where it was not measured. */
export const lastFigures = () => read(releaseFile()).figures;

function releaseFile() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return join(FOLDER, `${version}.json`);
}

/** Returns rows of a part with their text, figure and target. */
function toRows(part, figures, last) {
  return FIGURES[part].map(([id, text, target]) => ({
    figure: text,
    'last release': format(last[id]),
    'this run': format(figures[id]),
    target: target?.text ?? '',
    met: target === null || figures[id] === undefined ? '' : judge(target, figures[id]),
  }));
}

const judge = (target, value) => (target.isMet(value) ? 'yes' : 'no');

function read(file) {
  return existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { machine: 'not measured yet', figures: {} };
}

function describeMachine() {
  const [cpu, ...others] = cpus();
  const memoryGb = Math.round(totalmem() / 1e9);
  return `${others.length + 1} × ${cpu.model.trim()}, ${memoryGb} GB, Linux ${release()}, Node ${process.versions.node}`;
}

function format(value) {
  if (value === undefined) return '–';
  if (value >= 100) return Math.round(value).toLocaleString('en');
  return String(Number(value.toPrecision(3)));
}
