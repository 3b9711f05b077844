import { mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { openLogOutput } from './log-output.ts';

function openFile() {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-log-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, 'log');
  return { output: openLogOutput(openSync(file, 'w')), read: () => readFileSync(file, 'utf8') };
}

test('log output: a synchronous flush writes every line, as for a fatal error', () => {
  const { output, read } = openFile();
  output.write('request\n');
  expect(read()).toBe('');
  output.write('fatal\n');
  output.flushSync();
  expect(read()).toBe('request\nfatal\n');
});

test('log output: a flush writes collected lines before it calls back', async () => {
  const { output, read } = openFile();
  output.write('request\n');
  await new Promise<void>((resolve) => output.flush(() => resolve()));
  expect(read()).toBe('request\n');
});

test('log output: collected lines are written without a flush', async () => {
  const { output, read } = openFile();
  output.write('request\n');
  await vi.waitUntil(() => read() === 'request\n');
});
