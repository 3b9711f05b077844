import { execFile } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { expect, test } from 'vitest';

import { readProject } from './support/project.ts';
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

/** Texts of browsers and other software, examples, and texts with a number in them. */
const NOT_IN_SOURCES = new Set([
  'Add to Home Screen',
  'Add to Home screen',
  'Catch Hook',
  'Import 12 contacts',
  'Install app',
  'Last contact: today',
  'Show N more',
  'Trade fair',
  'Wait … seconds before you request another code',
]);
const QUOTED = /(?<!\w)'([^'`]{3,80}(?:'[a-z]{1,2}\b[^'`]*)?)'(?![a-z])/g;
const SPACE = /\s+/g;

test('docs/guide/: the texts that it quotes are those of the interface', () => {
  const sources = readProject().filter(({ path }) =>
    /^(?:web|view|domain|server)\/.*(?<!\.test)\.tsx?$/.test(path),
  );
  const texts = sources.map(({ text }) => text.replaceAll('&apos;', "'"));
  const all = texts.join(' ').replace(SPACE, ' ').toLowerCase();
  const unknown = readdirSync(GUIDE).flatMap((name) => {
    const prose = read(name)
      .replace(/```[^]*?```|<img[^>]*>/g, '')
      .replace(SPACE, ' ');
    const quotes = [...prose.matchAll(QUOTED)].map(([, quote = '']) => quote);
    return quotes.filter((quote) => {
      const label = quote.replace(/[.…]$|[{}]/g, '').toLowerCase();
      return !NOT_IN_SOURCES.has(quote) && !all.includes(label);
    });
  });
  expect(unknown).toEqual([]);
});
