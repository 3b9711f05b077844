import { dirname } from 'node:path';

import { expect, test } from 'vitest';

import {
  findBrokenCitations,
  findMissingPaths,
  findOutsideCitations,
  readProject,
} from './support/citations.ts';

const PROJECT = readProject();
const DOCUMENT = {
  path: 'docs/product.md',
  text:
    '# Product\n\n## Calls\n\n## What it’s for, `really`\n\n## Calls\n\n' +
    '```sh\n# Not a heading\n```\n',
};

const broken = (texts: Record<string, string>) =>
  findBrokenCitations([DOCUMENT, ...Object.entries(texts).map(([path, text]) => ({ path, text }))]);

test('project: its documents are read, and their citations name documents, headings and paths that exist', () => {
  const paths = PROJECT.map(({ path }) => path);
  for (const path of ['README.md', 'docs/pictures/card-light.png', 'view/tokens.css'])
    expect(paths).toContain(path);
  expect(PROJECT.filter(({ text }) => text.includes('docs/product.md#'))).not.toEqual([]);
  expect(findBrokenCitations(PROJECT)).toEqual([]);
  expect(findOutsideCitations(PROJECT)).toEqual([]);
  expect(findMissingPaths(PROJECT)).toEqual([]);
});

test('citations: existing ones are accepted', () => {
  expect(
    broken({
      'domain/a.ts': '/** As in docs/product.md#calls, and docs/product.md. */',
      'docs/design.md':
        '[a](product.md) [b](product.md#calls-1) [c](#one) [d](https://a.example/x.md)\n# One',
      'README.md': '[a](docs/product.md#what-its-for-really) [b](docs/) [c](docs)',
    }),
  ).toEqual([]);
});

test('citations: finds deliberate broken ones in code and links', () => {
  const cited =
    'docs/product.md#nothing docs/product.md# docs/nothing.md docs/recipes/product.md ' +
    // In a code block.
    'docs/product.md#not-a-heading';
  for (const one of cited.split(' '))
    expect(broken({ 'web/a.css': `a {}\n/* x */\n// See ${one}.\n` })).toEqual([
      `web/a.css:3 cites ${one}`,
    ]);
  const links = 'nothing.md product.md#nothing #nothing ../product.md pictures/card.png recipes/';
  for (const link of links.split(' '))
    expect(broken({ 'docs/design.md': `# One\n\n[a](${link})` })).toEqual([
      `docs/design.md:3 cites ${link}`,
    ]);
});

const findIn = (cited: string) =>
  findOutsideCitations([
    { path: 'domain/a.ts', text: `const x = 1;\n/** As there ${cited}. */\n` },
  ]);

test('citations: finds deliberate documents outside of the repository, and no other', () => {
  for (const cited of [
    '(specification, section 5)',
    'as the specification spells it',
    '(decisions, "The calls")',
    '(hardening, "Photos")',
    '(look, "Tokens")',
    'All figures: login providers, "embedded (the default)".',
    '(decisions section 3)',
  ])
    expect([cited, findIn(cited).length]).toEqual([cited, 1]);
  for (const text of [
    '(RFC 9110, section 9.2.2)',
    'docs/decisions/',
    'See hardening/.',
    'to look, section',
  ])
    expect(findIn(text)).toEqual([]);
});

test('hardening/faults.json: each fault can be planted, and its tests exist', () => {
  const texts = new Map(PROJECT.map(({ path, text }) => [path, text]));
  const faults = JSON.parse(texts.get('hardening/faults.json') ?? '[]') as (Record<
    'name' | 'file' | 'search',
    string
  > & { tests: string[] })[];
  expect(faults.length).toBeGreaterThan(30);
  for (const { name, file, search, tests } of faults) {
    expect([name, texts.get(file)?.includes(search)]).toEqual([name, true]);
    expect([name, tests.filter((path) => !texts.has(path))]).toEqual([name, []]);
  }
});

test('docs/architecture.md: has a line for every folder', () => {
  const text = PROJECT.find(({ path }) => path === 'docs/architecture.md')?.text ?? '';
  const described = [...text.matchAll(/^\| `([a-z0-9/]+)\/` /gm)].map(([, folder]) => folder);
  // A folder of one provider or gateway belongs to the line of its table.
  const inTable = /^server\/(otp|sms)\/./;
  const folders = PROJECT.map(({ path }) => dirname(path));
  const expected = folders.filter((path) => !path.startsWith('.') && !inTable.test(path));
  expect(new Set(described)).toEqual(new Set(expected));
});

test('documents: finds deliberate paths that do not exist', () => {
  const text =
    '`server/nothing.ts` `web/nothing/` `docs/product.md` `docs/` `server/<name>/` `a/b`';
  const files = [DOCUMENT, { path: 'README.md', text: `# One\n${text}` }];
  expect(findMissingPaths(files)).toEqual([
    'README.md:2 names server/nothing.ts',
    'README.md:2 names web/nothing/',
  ]);
});
