import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { print } from '#tests/support/print.ts';

const KILLED_PERCENT_MIN = 85;
const GROUP_MS_MAX = 45 * 60_000;
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(import.meta.dirname, 'mutants');
const CACHE = join(ROOT, '.cache');
/** StrykerJS is installed here, so that no other command waits for it. */
const INSTALLED = join(CACHE, 'stryker');
const GROUPS = JSON.parse(readFileSync(join(FOLDER, 'groups.json'), 'utf8')) as object;

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { status: string }[] }>>;
}

/** Mutants by their status in StrykerJS; those that do not load are not counted. */
class Counts {
  #statuses: string[] = [];

  add(statuses: readonly string[]): void {
    this.#statuses = [...this.#statuses, ...statuses];
  }

  get killedPercent(): number {
    const killed = this.#of('Killed', 'Timeout');
    return (killed / (killed + this.#of('Survived', 'NoCoverage'))) * 100;
  }

  describe(): string {
    const [killed, timeout] = [this.#of('Killed'), this.#of('Timeout')];
    const survived = this.#of('Survived', 'NoCoverage');
    const percent = this.killedPercent.toFixed(1);
    return `${killed + timeout + survived} mutants, ${killed} killed, ${timeout} timed out, ${survived} survived: ${percent} %`;
  }

  #of(...wanted: string[]): number {
    return this.#statuses.filter((status) => wanted.includes(status)).length;
  }
}

const total = new Counts();

beforeAll(() => {
  mkdirSync(INSTALLED, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(FOLDER, name), join(INSTALLED, name));
  execFileSync('npm', ['ci', '--prefer-offline', '--loglevel=error'], { cwd: INSTALLED });
});

/**
 * Runs StrykerJS for a group; returns its exit status, null if it was interrupted. Its output, with
 * every survivor, goes into a file.
 */
function runStryker(group: string, logPath: string): number | null {
  // StrykerJS starts Vitest itself, so it must not find the variables of this one.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const log = openSync(logPath, 'w');
  const { status } = spawnSync(
    join(INSTALLED, 'node_modules', '.bin', 'stryker'),
    ['run', 'hardening/mutants/stryker.config.mjs'],
    {
      cwd: ROOT,
      stdio: ['ignore', log, log],
      timeout: GROUP_MS_MAX,
      env: { ...Object.fromEntries(own), MUTANT_GROUP: group },
    },
  );
  closeSync(log);
  return status;
}

test.each(Object.keys(GROUPS))('mutants: the tests of %s kill at least 85 %', (group) => {
  const [reportPath, logPath] = ['json', 'log'].map((type) =>
    join(CACHE, `mutants-${group}.${type}`),
  ) as [string, string];
  rmSync(reportPath, { force: true });
  // An interrupted run leaves a report of the mutants so far.
  expect(runStryker(group, logPath)).toBe(0);
  // Without a report StrykerJS has failed; its output has the reason.
  const report = JSON.parse(readFileSync(reportPath, 'utf8')) as Report;
  const statuses = Object.values(report.files).flatMap(({ mutants }) =>
    mutants.map(({ status }) => status),
  );
  const counts = new Counts();
  counts.add(statuses);
  total.add(statuses);
  print(`${group}: ${counts.describe()} (survivors: ${logPath})`);
  expect(counts.killedPercent).toBeGreaterThanOrEqual(KILLED_PERCENT_MIN);
});

test('mutants: at least 85 % of all are killed', () => {
  print(`all: ${total.describe()}`);
  expect(total.killedPercent).toBeGreaterThanOrEqual(KILLED_PERCENT_MIN);
});
