// npm test runs every check and prints one line with the counts at the end. `--fast` (npm run check) runs the
// fast tests on SQLite, and the tests of the server and the browser that the change can have touched.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';

import { CEPH, POSTGRESQL, preparePrograms } from './programs.mjs';
import { ROOT, build, install, run } from './ready.mjs';

const isFast = process.argv.includes('--fast');
const isCi = Boolean(process.env.CI);
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const failedTests = [];
/** Tests that passed only at the second attempt. They are printed by name, because a busy machine can be the cause. */
const retriedTests = [];
const times = [];

const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const FAST_TESTS = [
  'domain',
  'contract',
  'view',
  'scripts',
  'tests/architecture.test.ts',
  'tests/citations.test.ts',
  'tests/documented.test.ts',
  'tests/limits.test.ts',
];
const NAMES_SHOWN_MAX = 10;
/** The programs that tests start, and the Debian package of each. */
const PROGRAMS = [
  { path: CHROMIUM, packageName: 'chromium', isInstalledLocally: true },
  POSTGRESQL,
  ...CEPH,
  { path: '/usr/lib/python3/dist-packages/vobject/__init__.py', packageName: 'python3-vobject' },
  { path: '/usr/bin/zbarimg', packageName: 'zbar-tools' },
];

const binary = (name) => join(ROOT, 'node_modules', '.bin', name);

function time(name, part) {
  const start = performance.now();
  const result = part();
  times.push(`${name} ${((performance.now() - start) / 1000).toFixed(1)} s`);
  return result;
}

function check(name, program, args) {
  process.stdout.write(`\n── ${name}\n`);
  count(name, time(name, () => run(binary(program), args)) ? { passed: 1 } : { failed: 1 });
}

/** Adds to the total. In CI a skipped test counts as failed. */
function count(name, { passed = 0, failed = 0, skipped = 0 }) {
  total.passed += passed;
  total.failed += failed;
  total.skipped += skipped;
  if (failed > 0) failures.push(name);
  if (skipped > 0 && isCi) {
    total.failed += skipped;
    failures.push(`${name} (skipped, which CI does not accept)`);
  }
}

/** Runs a test runner and reads its report. A report without passed tests is a failure, unless `mayBeEmpty`. */
function runTests(name, { args, env, report, read, mayBeEmpty = false }) {
  process.stdout.write(`\n── ${name}\n`);
  rmSync(report, { force: true });
  const [program, ...rest] = args;
  const hasSucceeded = time(name, () => run(binary(program), rest, env));
  const counts = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : {};
  const isComplete = hasSucceeded && (mayBeEmpty || counts.passed > 0);
  if (!isComplete) counts.failed ||= 1;
  count(name, counts);
}

function unitTests(name, args, options) {
  const report = join(ROOT, '.cache', 'unit.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  runTests(name, {
    args: ['vitest', 'run', ...reporters, ...args],
    report,
    read: ({ testResults, ...result }) => {
      failedTests.push(...testResults.flatMap(failuresOf));
      retriedTests.push(...testResults.flatMap(retriesOf));
      return {
        passed: result.numPassedTests,
        failed: result.numFailedTests,
        skipped: result.numPendingTests + result.numTodoTests,
      };
    },
    ...options,
  });
}

/** Returns the failed tests of a file, or the file itself if it has not run. */
function failuresOf({ name, status, assertionResults }) {
  const file = relative(ROOT, name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  if (failed.length > 0) return failed.map(({ fullName }) => `${file}: ${fullName}`);
  return status === 'failed' ? [file] : [];
}

/** Returns the tests of a file that passed only at the second attempt. */
function retriesOf({ name, assertionResults }) {
  return assertionResults
    .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
    .map(({ fullName }) => `${relative(ROOT, name)}: ${fullName}`);
}

function browserTests() {
  const report = join(ROOT, '.cache', 'e2e.json');
  runTests('end to end', {
    args: ['playwright', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    report,
    read: ({ stats }) => {
      if (stats.flaky > 0) process.stdout.write(`Passed at the second attempt: ${stats.flaky}\n`);
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        skipped: stats.skipped,
      };
    },
  });
}

function printNames(names) {
  for (const name of names.slice(0, NAMES_SHOWN_MAX)) process.stdout.write(`  ${name}\n`);
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: ROOT, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}

/** Runs every test if there is no repository to compare with. */
function fastTests() {
  const start =
    git('merge-base', 'HEAD', 'origin/HEAD') ??
    git('merge-base', 'HEAD', 'main') ??
    git('rev-parse', 'HEAD');
  const changed = start === null ? [] : ['--changed', start];
  unitTests('unit', FAST_TESTS);
  process.env.TEST_DATABASE_URL = '';
  unitTests(
    `server and web, changed since ${start}`,
    [...changed, '--project=shared', '--project=separate', 'server/', 'web/'],
    { mayBeEmpty: true },
  );
  process.stdout.write(
    '\nOnly npm test has tests/, the browser tests, PostgreSQL and a zone west.\n',
  );
}

// A package that rejects this version of Node fails here; for a user npm only warns.
process.env.npm_config_engine_strict = 'true';
install();
if (!isFast) preparePrograms(PROGRAMS);
mkdirSync(join(ROOT, '.cache'), { recursive: true });
time('build', build);
check('types', 'tsc', ['-b']);
check('lint', 'oxlint', ['--type-aware', '--deny-warnings']);
check('format', 'oxfmt', ['--check']);
check('unused code', 'knip', []);
if (isFast) fastTests();
else {
  unitTests('unit and integration', []);
  if (existsSync(CHROMIUM)) browserTests();
  else {
    process.stdout.write('\n── end to end: skipped, there is no Chromium\n');
    count('end to end', { skipped: 1 });
  }
}

if (failures.length > 0) process.stdout.write(`\nFailed: ${failures.join(', ')}\n`);
printNames(failedTests);
if (retriedTests.length > 0)
  process.stdout.write(`\nPassed at the second attempt: ${retriedTests.length}\n`);
printNames(retriedTests);
process.stdout.write(`\nTime: ${times.join(', ')}\n`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exit(total.failed === 0 ? 0 : 1);
