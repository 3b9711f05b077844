import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';

import { expect, test } from 'vitest';

import { ENTRY } from './support/server.ts';

const folder = dirname(ENTRY);

test('build: a start uses the code that the build has stored', () => {
  const script = `
    const { runBundle } = await import(${JSON.stringify(join(folder, 'code-cache.js'))});
    console.log(runBundle(${JSON.stringify(join(folder, 'service.cjs'))}).usesStoredCode);`;
  const args = ['--input-type=module', '--eval', script, '--', '--version'];
  const output = execFileSync(process.execPath, args, { encoding: 'utf8' });
  expect(output.trim().split('\n')).toContain('true');
});
