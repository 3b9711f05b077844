import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { startServer } from './support/server.ts';

const GUIDE = join(import.meta.dirname, '../docs/guide');
const DEMO = { phone: '+919999900001', code: '123456' };
const read = (name: string) => readFileSync(join(GUIDE, name), 'utf8');

test('docs/guide/api.md: its commands work when they are pasted in their order', async () => {
  const server = await startServer({
    OTP_TEST_NUMBERS: `${DEMO.phone}:${DEMO.code}`,
    OTP_TEST_NUMBERS_UNTIL: '2099-12-31',
  });
  const blocks = [...read('api.md').matchAll(/^```sh\n([^]*?)^```/gm)].map(([, lines]) => lines);
  const script = blocks.join('').replace('http://localhost:3000', server.origin);
  const run = promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script]);
  const { stdout } = await run.finally(() => server.dispose());
  expect(blocks.length).toBeGreaterThan(5);
  expect(stdout).toContain('"designation":"Principal Architect"');
});

test('docs/guide/README.md: lists every page of the guide, and each begins with a title', () => {
  const pages = readdirSync(GUIDE).filter((name) => name.endsWith('.md') && name !== 'README.md');
  expect(pages.filter((name) => !read('README.md').includes(`](${name})`))).toEqual([]);
  expect(pages.filter((name) => !/^# [A-Z]/.test(read(name)))).toEqual([]);
  const sources = pages.flatMap((name) => [...read(name).matchAll(/<img src="([^"]+)"/g)]);
  const missing = sources.filter(([, source = '']) => !existsSync(join(GUIDE, source)));
  expect(missing.map(([, source]) => source)).toEqual([]);
});
