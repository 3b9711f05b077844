// npm test from start to end: the time of each part, and the lines that it tests and consists of.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '#scripts/ready.mjs';

/** The names of `npm test` of the parts that take more than some seconds. */
const IDS = { 'unit and integration': 'tests-unit', 'end to end': 'tests-browser' };
const OUTPUT_BYTES_MAX = 100e6;
const PRODUCT = new Set(['domain', 'contract', 'view', 'server', 'web']);

/** Returns seconds and lines. Throws Error if a test fails. */
export function measureTests() {
  const { status, stdout } = runProgram('npm', ['test'], { env: { ...process.env, CI: 'true' } });
  const times = /^Time: (.*)$/m.exec(stdout)?.[1];
  if (status !== 0 || !times) throw new Error(stdout.slice(-2000));
  const seconds = times.split(', ').map((time) => /^(.*) ([\d.]+) s$/.exec(time).slice(1));
  const figures = { 'tests-all': 0, 'tests-checks': 0 };
  for (const [name, text] of seconds) {
    const id = IDS[name] ?? 'tests-checks';
    figures[id] = (figures[id] ?? 0) + Number(text);
    figures['tests-all'] += Number(text);
  }
  return { ...figures, ...countLines() };
}

function countLines() {
  const { stdout } = runProgram('git', ['ls-files', '*.ts', '*.tsx', '*.mjs']);
  const lines = { 'lines-product': 0, 'lines-tests': 0 };
  for (const path of stdout.trim().split('\n')) {
    const isTest = /^(tests|hardening)\/|\.(test|spec)\.\w+$/.test(path);
    if (!isTest && !PRODUCT.has(path.split('/', 1)[0])) continue;
    const text = readFileSync(join(ROOT, path), 'utf8');
    lines[isTest ? 'lines-tests' : 'lines-product'] += text.split('\n').length - 1;
  }
  return lines;
}

function runProgram(program, args, options) {
  const fixed = { cwd: ROOT, encoding: 'utf8', maxBuffer: OUTPUT_BYTES_MAX };
  return spawnSync(program, args, { ...fixed, ...options });
}
