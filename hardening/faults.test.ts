import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, expect, inject, test } from 'vitest';

type Fault = Readonly<Record<'name' | 'file' | 'search' | 'replace', string>> & {
  readonly tests: readonly string[];
};

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const ROOT = join(import.meta.dirname, '..');
const FAULTS = JSON.parse(readFileSync(join(ROOT, 'hardening/faults.json'), 'utf8')) as Fault[];
const LEFT_OUT = /^(node_modules|\.git|\.cache)$/;

/** The repository, copied so that an interrupted run leaves no fault in it. */
const copy = mkdtempSync(join(tmpdir(), 'tessera-faults-'));
const isCopied = (path: string) => !LEFT_OUT.test(path.slice(ROOT.length + 1));
cpSync(ROOT, copy, { recursive: true, filter: isCopied });
symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function runTests(files: readonly string[]) {
  // Vitest starts itself, so it must not find the variables of this one.
  const own = Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST'));
  const env = { ...Object.fromEntries(own), TEST_DATABASE_URL: inject('postgresUrl') };
  const program = join(copy, 'node_modules', '.bin', 'vitest');
  const options = { cwd: copy, encoding: 'utf8', env } as const;
  const { stdout, stderr } = spawnSync(program, ['run', '--reporter=json', ...files], options);
  const start = stdout.indexOf('{"num');
  if (start === -1) throw new Error(`No report: ${stdout}${stderr}`);
  const { testResults } = JSON.parse(stdout.slice(start)) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  const namesOf = (wanted: string) =>
    tests.flatMap(({ status, fullName }) => (status === wanted ? [fullName] : []));
  return { failed: namesOf('failed'), passed: namesOf('passed') };
}

test('faults: without one, all the tests pass', () => {
  const { failed, passed } = runTests([...new Set(FAULTS.flatMap(({ tests }) => tests))]);
  expect(failed).toEqual([]);
  expect(passed).not.toEqual([]);
});

test.each(FAULTS)('faults: a test fails if $name', ({ file, search, replace, tests }) => {
  const path = join(copy, file);
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(search);
  const planted = text.replaceAll(search, () => replace);
  writeFileSync(path, planted);
  try {
    // A file that does not load has no tests, so a fault must leave code that runs.
    expect(runTests(tests).failed).not.toEqual([]);
  } finally {
    writeFileSync(path, text);
  }
});
