import { execFileSync, spawnSync } from 'node:child_process';
import type { StdioOptions } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, inject, test } from 'vitest';

import { print } from '#tests/support/print.ts';

const KILLED_PERCENT_MIN = 85;
const GROUP_MS_MAX = 90 * 60_000;
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(import.meta.dirname, 'mutants');
const CACHE = join(ROOT, '.cache');
/** StrykerJS is installed here, so that no other command waits for it. */
const INSTALLED = join(CACHE, 'stryker');
const GROUPS = JSON.parse(readFileSync(join(FOLDER, 'groups.json'), 'utf8')) as object;

type Report = Readonly<Record<'files', Record<string, { mutants: { status: string }[] }>>>;

/** The numbers of mutants, of those that were killed, timed out and survived, and the share of the first two. */
function count(statuses: readonly string[]) {
  const numberOf = (...wanted: string[]) =>
    statuses.filter((status) => wanted.includes(status)).length;
  const [killed, timedOut] = [numberOf('Killed'), numberOf('Timeout')];
  const mutants = killed + timedOut + numberOf('Survived', 'NoCoverage');
  const killedPercent = ((killed + timedOut) / mutants) * 100;
  const cells = [mutants, killed, timedOut, mutants - killed - timedOut, killedPercent.toFixed(1)];
  return { killedPercent, row: cells.join(' | ') };
}

beforeAll(() => {
  mkdirSync(INSTALLED, { recursive: true });
  for (const name of ['package.json', '.npmrc']) cpSync(join(FOLDER, name), join(INSTALLED, name));
  const install = ['install', '--no-package-lock', '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', install, { cwd: INSTALLED });
  print('mutants, killed, timed out, survived, killed in percent');
});

/** Runs StrykerJS for a group; returns its exit status. Its output, with every survivor, goes into a file. */
function runStryker(group: string, logPath: string): number | null {
  // StrykerJS starts Vitest itself, so it must not find the variables of this one.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const log = openSync(logPath, 'w');
  const template = { MUTANT_SQLITE_TEMPLATE: inject('sqliteTemplate') };
  const env = { ...Object.fromEntries(own), MUTANT_GROUP: group, ...template };
  const program = join(INSTALLED, 'node_modules', '.bin', 'stryker');
  const args = ['run', 'hardening/mutants/stryker.config.mjs'];
  const stdio: StdioOptions = ['ignore', log, log];
  const { status } = spawnSync(program, args, { cwd: ROOT, stdio, timeout: GROUP_MS_MAX, env });
  closeSync(log);
  return status;
}

test.each(Object.keys(GROUPS))('mutants: the tests of %s kill at least 85 %', (group) => {
  const reportPath = join(CACHE, `mutants-${group}.json`);
  const logPath = join(CACHE, `mutants-${group}.log`);
  rmSync(reportPath, { force: true });
  // An interrupted run leaves a report of the mutants so far.
  expect(runStryker(group, logPath)).toBe(0);
  // Without a report StrykerJS has failed; its output has the reason.
  const report = JSON.parse(readFileSync(reportPath, 'utf8')) as Report;
  const mutants = Object.values(report.files).flatMap((file) => file.mutants);
  const statuses = mutants.map(({ status }) => status);
  const { row, killedPercent } = count(statuses);
  print(`| ${group} | ${row} | survivors: ${logPath}`);
  expect(killedPercent).toBeGreaterThanOrEqual(KILLED_PERCENT_MIN);
});
