// npm test: everything that is checked, ending in one plain line. `--fast` (npm run check) leaves
// out what needs a database server or a browser.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { installPrograms } from './programs.mjs';
import { ROOT, build, checkNode, install, run } from './ready.mjs';

const isFast = process.argv.includes('--fast');
const isCi = Boolean(process.env.CI);
const total = { passed: 0, failed: 0, skipped: 0 };
const failures = [];

/** What the tests need besides npm's packages, and the Debian package that brings it. */
const PROGRAMS = [
  { path: '/usr/bin/chromium', packageName: 'chromium' },
  { path: '/usr/lib/postgresql/15/bin/initdb', packageName: 'postgresql-15' },
  // An S3 gateway that checks signatures: Ceph's, which needs the other two below it.
  { path: '/usr/bin/radosgw', packageName: 'radosgw' },
  { path: '/usr/bin/ceph-mon', packageName: 'ceph-mon' },
  { path: '/usr/bin/ceph-osd', packageName: 'ceph-osd' },
  { path: '/usr/lib/python3/dist-packages/vobject/__init__.py', packageName: 'python3-vobject' },
];

function check(name, program, args) {
  process.stdout.write(`\n── ${name}\n`);
  const isGood = run(join(ROOT, 'node_modules', '.bin', program), args);
  count(name, isGood ? { passed: 1 } : { failed: 1 });
}

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

/** Runs a test runner that leaves a report; a run without a good report has failed. */
function runTests(name, { args, env, report, read }) {
  process.stdout.write(`\n── ${name}\n`);
  rmSync(report, { force: true });
  const [program, ...rest] = args;
  const isGood = run(join(ROOT, 'node_modules', '.bin', program), rest, env);
  const counts = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : {};
  const hasRun = (counts.passed ?? 0) > 0;
  if (!isGood && !(counts.failed > 0)) counts.failed = 1;
  if (isGood && !hasRun) counts.failed = 1;
  count(name, counts);
}

function unitTests() {
  const report = join(ROOT, '.cache', 'unit.json');
  runTests('unit and integration', {
    args: ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`],
    report,
    read: (result) => ({
      passed: result.numPassedTests,
      failed: result.numFailedTests,
      skipped: result.numPendingTests + result.numTodoTests,
    }),
  });
}

function browserTests() {
  const report = join(ROOT, '.cache', 'e2e.json');
  runTests('end to end', {
    args: ['playwright', 'test', '--reporter=list,json'],
    env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
    report,
    read: ({ stats }) => ({
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected,
      skipped: stats.skipped,
    }),
  });
}

checkNode();
install();
if (!isFast) installPrograms(PROGRAMS);
mkdirSync(join(ROOT, '.cache'), { recursive: true });
build();
check('types', 'tsc', ['-b']);
check('lint', 'oxlint', ['--type-aware', '--deny-warnings']);
check('format', 'oxfmt', ['--check']);
check('unused code', 'knip', []);
if (isFast) check('unit', 'vitest', ['run', 'domain', 'contract', 'view', 'tests/shape.test.ts']);
else {
  unitTests();
  browserTests();
}

if (failures.length > 0) process.stdout.write(`\nFailed: ${failures.join(', ')}\n`);
const skipped = total.skipped > 0 ? `, ${total.skipped} skipped` : '';
process.stdout.write(`\n${total.passed} passed, ${total.failed} failed${skipped}\n`);
process.exit(total.failed === 0 ? 0 : 1);
