import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { runBundle } from './code-cache.ts';

const SOURCE = `
  exports.value = 'one';
  exports.folder = __dirname;
  exports.loadChunk = () => require('./chunk.cjs').value;
`;
const CHUNK = `exports.value = 'chunk of ' + require('./bundle.cjs').value;`;

let folder = '';
let file = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tessera-code-'));
  file = join(folder, 'bundle.cjs');
  writeFileSync(file, SOURCE);
  writeFileSync(join(folder, 'chunk.cjs'), CHUNK);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const storedFile = () =>
  join(folder, readdirSync(folder).find((name) => name.endsWith('.code')) ?? '');

test('bundle: uses the code that was stored, with the same exports', () => {
  const first = runBundle(file);
  expect(first.usesStoredCode).toBe(false);
  first.storeCode();
  const second = runBundle(file);
  expect(second.usesStoredCode).toBe(true);
  expect(second.exports).toMatchObject({ value: 'one', folder });
});

test('bundle: a chunk imports from the running bundle', () => {
  const { exports } = runBundle(file);
  Object.assign(exports, { value: 'changed' });
  expect((exports['loadChunk'] as () => string)()).toBe('chunk of changed');
});

test('bundle: a changed file of the same length does not use the code of the old one', () => {
  runBundle(file).storeCode();
  writeFileSync(file, SOURCE.replace('one', 'two'));
  expect(runBundle(file)).toMatchObject({ usesStoredCode: false, exports: { value: 'two' } });
});

test('bundle: is compiled again if the stored code is damaged', () => {
  runBundle(file).storeCode();
  writeFileSync(storedFile(), readFileSync(storedFile()).subarray(0, -8));
  expect(runBundle(file)).toMatchObject({ usesStoredCode: false, exports: { value: 'one' } });
});
