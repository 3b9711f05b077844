import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { ENTRY } from './support/server.ts';

const SERVER = dirname(ENTRY);
const SOURCE = `
  exports.value = 'one';
  exports.value += require('./chunk.cjs').value;
`;
const CHUNK = `exports.value = ' and the chunk of ' + require('./bundle.cjs').value;`;

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-code-'));
  file = join(folder, 'bundle.cjs');
  writeFileSync(file, SOURCE);
  writeFileSync(join(folder, 'chunk.cjs'), CHUNK);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a bundle in a new process, because V8 also has a cache in each process. */
function run(bundle: string, { storesCode = false, args = [] as string[] } = {}) {
  const script = `
    const { runBundle } = await import(${JSON.stringify(join(SERVER, 'code-cache.js'))});
    const { exports, usesStoredCode, storeCode } = runBundle(${JSON.stringify(bundle)});
    if (${storesCode}) storeCode();
    console.log(JSON.stringify({ value: exports.value, usesStoredCode }));`;
  const flags = ['--input-type=module', '--eval', script, '--', ...args];
  const output = execFileSync(process.execPath, flags, { encoding: 'utf8' });
  return JSON.parse(output.trim().split('\n').at(-1) ?? '') as unknown;
}

const VALUE = 'one and the chunk of one';

test('bundle: uses the code that was stored', () => {
  expect(run(file, { storesCode: true })).toEqual({ value: VALUE, usesStoredCode: false });
  expect(run(file)).toEqual({ value: VALUE, usesStoredCode: true });
});

test('bundle: a changed file of the same length does not use the code of the old one', () => {
  run(file, { storesCode: true });
  writeFileSync(file, SOURCE.replace('one', 'two'));
  const value = VALUE.replaceAll('one', 'two');
  expect(run(file)).toEqual({ value, usesStoredCode: false });
});

test('bundle: is compiled again if the stored code is incomplete', () => {
  run(file, { storesCode: true });
  const codeFile = join(folder, readdirSync(folder).find((name) => name.endsWith('.code')) ?? '');
  const code = readFileSync(codeFile);
  writeFileSync(codeFile, code.subarray(0, code.length / 2));
  expect(run(file)).toEqual({ value: VALUE, usesStoredCode: false });
});

test('build: a start uses the code that the build has stored', () => {
  const service = join(SERVER, 'service.cjs');
  expect(run(service, { args: ['--version'] })).toMatchObject({ usesStoredCode: true });
});
