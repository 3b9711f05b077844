import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, cpSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, inject, test } from 'vitest';

import { print } from '#tests/support/print.ts';

const GROUP_MS_MAX = 90 * 60_000;
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(import.meta.dirname, 'mutants');
const CACHE = join(ROOT, '.cache');
/** StrykerJS is installed here, so that no other command waits for it. */
const INSTALLED = join(CACHE, 'stryker');
const GROUPS = JSON.parse(readFileSync(join(FOLDER, 'groups.json'), 'utf8')) as object;

beforeAll(() => {
  mkdirSync(INSTALLED, { recursive: true });
  for (const name of ['package.json', '.npmrc']) cpSync(join(FOLDER, name), join(INSTALLED, name));
  const install = ['install', '--no-package-lock', '--prefer-offline', '--loglevel=error'];
  execFileSync('npm', install, { cwd: INSTALLED });
});

test.each(Object.keys(GROUPS))('mutants: the tests of %s kill at least 85 %', (group) => {
  const logPath = join(CACHE, `mutants-${group}.log`);
  const log = openSync(logPath, 'w');
  // StrykerJS starts Vitest itself, so it must not find the variables of this one.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const template = { MUTANT_SQLITE_TEMPLATE: inject('sqliteTemplate') };
  const env = { ...Object.fromEntries(own), MUTANT_GROUP: group, ...template };
  const program = join(INSTALLED, 'node_modules', '.bin', 'stryker');
  const { status } = spawnSync(program, ['run', 'hardening/mutants/stryker.config.mjs'], {
    cwd: ROOT,
    stdio: ['ignore', log, log],
    timeout: GROUP_MS_MAX,
    env,
  });
  closeSync(log);
  const rows = readFileSync(logPath, 'utf8').match(/^(?:File|All files) .*\|.*$/gm) ?? [];
  print(`${group}, survivors: ${logPath}\n${rows.join('\n')}`);
  expect(status).toBe(0);
});
