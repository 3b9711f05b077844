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
  text: '# Product\n\n## Calls\n\n## What it’s for, `really`\n\n## Calls\n\n```sh\n# Not a heading\n```\n',
};

const broken = (texts: Record<string, string>) =>
  findBrokenCitations([DOCUMENT, ...Object.entries(texts).map(([path, text]) => ({ path, text }))]);

test('project: its documents and its citations are read', () => {
  const paths = PROJECT.map(({ path }) => path);
  expect(paths).toEqual(
    expect.arrayContaining([
      'README.md',
      'docs/product.md',
      'docs/pictures/card-light.png',
      'view/tokens.css',
    ]),
  );
  const citing = PROJECT.filter(({ text }) => text.includes('docs/product.md#'));
  expect(citing.length).toBeGreaterThan(0);
});

test('citations: each one names a document and a heading that exist', () => {
  expect(findBrokenCitations(PROJECT)).toEqual([]);
});

test('citations: none names a document outside of the repository', () => {
  expect(findOutsideCitations(PROJECT)).toEqual([]);
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

test.each<[string, string, string]>([
  ['a heading that does not exist', '// docs/product.md#nothing', 'docs/product.md#nothing'],
  ['an empty heading', '// docs/product.md#', 'docs/product.md#'],
  ['a document that does not exist', '// See docs/nothing.md.', 'docs/nothing.md'],
  [
    'a comment in a code block',
    '// docs/product.md#not-a-heading',
    'docs/product.md#not-a-heading',
  ],
  ['a document of another folder', '// docs/recipes/product.md', 'docs/recipes/product.md'],
])('citations: finds a deliberate one in code: %s', (_name, comment, cited) => {
  expect(broken({ 'web/a.css': `a {}\n/* x */\n${comment}\n` })).toEqual([
    `web/a.css:3 cites ${cited}`,
  ]);
});

test.each([
  'nothing.md',
  'product.md#nothing',
  '#nothing',
  '../product.md',
  'pictures/card.png',
  'recipes/',
])('citations: finds a deliberate broken link: %s', (link) => {
  expect(broken({ 'docs/design.md': `# One\n\n[a](${link})` })).toEqual([
    `docs/design.md:3 cites ${link}`,
  ]);
});

test.each([
  '(specification, section 5)',
  'as the specification spells it',
  '(decisions, "The calls")',
  '(hardening, "Photos")',
  '(look, "Tokens")',
  'All figures: login providers, "embedded (the default)".',
  '(decisions section 3)',
])('citations: finds a deliberate document outside of the repository: %s', (cited) => {
  const file = { path: 'domain/a.ts', text: `const x = 1;\n/** As there ${cited}. */\n` };
  expect(findOutsideCitations([file])).toHaveLength(1);
});

test.each(['(RFC 9110, section 9.2.2)', 'docs/decisions/', 'See hardening/.', 'to look, section'])(
  'citations: a text that names no document is accepted: %s',
  (text) => {
    expect(findOutsideCitations([{ path: 'domain/a.ts', text }])).toEqual([]);
  },
);

test('documents: every path in a code span exists', () => {
  expect(findMissingPaths(PROJECT)).toEqual([]);
});

interface Fault {
  readonly name: string;
  readonly file: string;
  readonly search: string;
  readonly tests: readonly string[];
}

test('hardening/faults.json: each fault can be planted, and its tests exist', () => {
  const texts = new Map(PROJECT.map(({ path, text }) => [path, text]));
  const faults = JSON.parse(texts.get('hardening/faults.json') ?? '[]') as Fault[];
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
  const folders = new Set(
    PROJECT.map(({ path }) => dirname(path)).filter(
      (path) => !path.startsWith('.') && !inTable.test(path),
    ),
  );
  expect(new Set(described)).toEqual(folders);
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
