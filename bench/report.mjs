// Prints the figures and writes docs/performance.md.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { join } from 'node:path';

import { ROOT, run } from '#scripts/ready.mjs';
import { FIGURES, PARTS } from './figures.mjs';
import { REASONS } from './reasons.mjs';

const FOLDER = join(ROOT, 'bench', 'figures');
const CURRENT = join(FOLDER, 'current.json');
const PAGE = join(ROOT, 'docs', 'performance.md');

const TABLE_HEAD =
  '| figure | last release | this run | target | met |\n| --- | --- | --- | --- | --- |';

const INTRODUCTION = `# Performance

\`npm run bench\` writes this page (Linux, wrk, a C compiler; about twenty minutes). \`npm run bench -- saves\` measures one
part and leaves the other figures as they were. Figures of different machines cannot be compared, ratios within one run
can: rounds of both sides alternate, and the median counts.

The column "last release" has the figures of the version in \`package.json\`, from the file of that name in \`bench/figures/\`.
\`npm run bench -- --release\` stores them; do that in the commit that raises the version.

The figures of 1.0.0 were measured later, on its build. Its slow disk is missing: there it answered saves with errors.
`;

/** Adds the figures of a part to those of other parts, and writes the page. */
export function saveFigures(added, { isRelease }) {
  const current = { machine: describeMachine(), figures: { ...read(CURRENT).figures, ...added } };
  mkdirSync(FOLDER, { recursive: true });
  for (const file of isRelease ? [CURRENT, releaseFile()] : [CURRENT]) {
    writeFileSync(file, `${JSON.stringify(current, null, 2)}\n`);
  }
  writeFileSync(PAGE, renderPage());
  run(join(ROOT, 'node_modules', '.bin', 'oxfmt'), [PAGE, FOLDER]);
}

/** Returns the text of docs/performance.md: the stored figures beside those of the last release. */
export function renderPage() {
  const { machine, figures } = read(CURRENT);
  const last = lastFigures();
  const parts = Object.entries(PARTS).map(([part, [title, method]]) => {
    const lines = toRows(part, figures, last).map((row) => `| ${Object.values(row).join(' | ')} |`);
    const reasons = missedIn(part, figures).map(([id, text]) => `- ${text}: ${REASONS[id]}\n`);
    const missed = reasons.length > 0 ? `\nMissed, because:\n\n${reasons.join('')}` : '';
    return `## ${title}\n\n${method}\n\n${TABLE_HEAD}\n${lines.join('\n')}\n${missed}`;
  });
  return `${INTRODUCTION}\nThis run: ${machine}.\n\n${parts.join('\n')}`;
}

/** Returns the figures of the last release; none where it was not measured. */
export const lastFigures = () => read(releaseFile()).figures;

function releaseFile() {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return join(FOLDER, `${version}.json`);
}

/** Returns rows of a part with their text, figure and target. */
export function toRows(part, figures, last) {
  return FIGURES[part].map(([id, text, target]) => ({
    figure: text,
    'last release': format(last[id]),
    'this run': format(figures[id]),
    target: target?.text ?? '',
    met: target === null || figures[id] === undefined ? '' : judge(target, figures[id]),
  }));
}

/** Returns the rows of a part whose target is missed. */
const missedIn = (part, figures) =>
  FIGURES[part].filter(
    ([id, , target]) => target !== null && figures[id] !== undefined && !target.isMet(figures[id]),
  );

/** Returns the ids of the stored figures that miss their target and have no reason. */
export const unexplained = () =>
  Object.keys(FIGURES)
    .flatMap((part) => missedIn(part, read(CURRENT).figures))
    .flatMap(([id]) => (id in REASONS ? [] : [id]));

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
