import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from 'vitest';

import { print } from '#tests/support/print.ts';

const LEAST_KILLED_PERCENT = 85;
const GROUP_MS_MAX = 45 * 60_000;
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(import.meta.dirname, 'mutants');
/** StrykerJS is installed here, so that no other command waits for it. */
const INSTALLED = join(ROOT, '.cache', 'stryker');
const GROUPS = JSON.parse(readFileSync(join(FOLDER, 'groups.json'), 'utf8')) as object;

interface Report {
  readonly files: Readonly<Record<string, { readonly mutants: readonly { status: string }[] }>>;
}

const counts = { killed: 0, survived: 0 };

beforeAll(() => {
  mkdirSync(INSTALLED, { recursive: true });
  for (const name of ['package.json', 'package-lock.json', '.npmrc'])
    cpSync(join(FOLDER, name), join(INSTALLED, name));
  execFileSync('npm', ['ci', '--prefer-offline', '--loglevel=error'], { cwd: INSTALLED });
});

test.each(Object.keys(GROUPS))('mutants: the tests of %s kill at least 85 %', (group) => {
  const reportPath = join(ROOT, '.cache', `mutants-${group}.json`);
  rmSync(reportPath, { force: true });
  // StrykerJS starts Vitest itself, so it must not find the variables of this one.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const { status } = spawnSync(
    join(INSTALLED, 'node_modules', '.bin', 'stryker'),
    ['run', 'hardening/mutants/stryker.config.mjs'],
    {
      cwd: ROOT,
      stdio: 'inherit',
      timeout: GROUP_MS_MAX,
      env: { ...Object.fromEntries(own), MUTANT_GROUP: group },
    },
  );
  const report = JSON.parse(readFileSync(reportPath, 'utf8')) as Report;
  const statuses = Object.values(report.files).flatMap(({ mutants }) =>
    mutants.map((mutant) => mutant.status),
  );
  const killed = statuses.filter((one) => one === 'Killed' || one === 'Timeout').length;
  const survived = statuses.filter((one) => one === 'Survived' || one === 'NoCoverage').length;
  counts.killed += killed;
  counts.survived += survived;
  print(`${group}: ${killed} of ${killed + survived} mutants killed`);
  // StrykerJS exits with 1 below the threshold of its configuration.
  expect(status).toBe(0);
  expect((killed / (killed + survived)) * 100).toBeGreaterThanOrEqual(LEAST_KILLED_PERCENT);
});

test('mutants: at least 85 % of all are killed', () => {
  const all = counts.killed + counts.survived;
  print(`${counts.killed} of ${all} mutants killed`);
  expect((counts.killed / all) * 100).toBeGreaterThanOrEqual(LEAST_KILLED_PERCENT);
});
