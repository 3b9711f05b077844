import { dirname, posix } from 'node:path';

import { expect, test } from 'vitest';

import { readProject } from './support/project.ts';
import type { ProjectFile } from './support/project.ts';

const CITATION = /\bdocs\/[\w./-]+?\.md(?:#[\w-]*)?/g;
const LINK = /\]\(([^)\s]+)\)/g;
const CODE_BLOCK = /^```[\s\S]*?^```/gm;
const HEADING = /^#{1,6} +(.+?) *#*$/gm;
/** A path in a document's code span or a JSON file; one with a placeholder or a pattern does not match. */
const CODE_PATH =
  /[`"]((?:bench|contract|deploy|docs|domain|hardening|scripts|server|tests|view|web)\/[\w./-]*)[`"]/g;
type Fault = Record<'name' | 'file' | 'search', string> & { tests: string[] };

/** Places; the target is a path from the root, with `#` and a heading if one is cited. */
const matches = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)].map(({ 0: whole, 1: written = whole, index }) => ({
    line: text.slice(0, index).split('\n').length,
    written,
    target: written,
  }));

/** Markdown links to files and headings; an address with a scheme is not checked. */
const linksOf = ({ path, text }: ProjectFile) =>
  matches(text, LINK)
    .filter(({ written }) => !/^[a-z]+:/.test(written))
    .map((link) => {
      const [file = '', heading] = link.written.split('#');
      const target = file === '' ? path : posix.join(dirname(path), file);
      return { ...link, target: heading === undefined ? target : `${target}#${heading}` };
    });

/** The anchors that GitHub gives to the headings of a document. */
function slugsOf(text: string): ReadonlySet<string> {
  const slugs = new Set<string>();
  for (const [, heading = ''] of text.replace(CODE_BLOCK, '').matchAll(HEADING)) {
    const words = heading.toLowerCase().replace(/[^\p{L}\p{N}\p{M} _-]/gu, '');
    const slug = words.replaceAll(' ', '-');
    let unique = slug;
    for (let count = 1; slugs.has(unique); count += 1) unique = `${slug}-${count}`;
    slugs.add(unique);
  }
  return slugs;
}

function exists(target: string, texts: ReadonlyMap<string, string>): boolean {
  const [path = '', heading] = target.split('#');
  const text = texts.get(path);
  if (heading !== undefined) return text !== undefined && slugsOf(text).has(heading);
  const folder = path.endsWith('/') ? path : `${path}/`;
  return text !== undefined || [...texts.keys()].some((file) => file.startsWith(folder));
}

/** One sentence for each citation of a file, a folder or a heading that does not exist. */
function findMissing(files: readonly ProjectFile[]): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return files.flatMap((file) => {
    const cited = matches(file.text, CITATION);
    if (file.path.endsWith('.md')) cited.push(...linksOf(file));
    if (/\.(md|json)$/.test(file.path)) cited.push(...matches(file.text, CODE_PATH));
    const missing = cited.filter(({ target }) => !exists(target, texts));
    return missing.map(({ line, written }) => `${file.path}:${line} cites ${written}`);
  });
}

const PROJECT = readProject();
const TEXTS = new Map(PROJECT.map(({ path, text }) => [path, text]));
const DOCUMENT = {
  path: 'docs/develop/product.md',
  text:
    '# Product\n\n## Calls\n\n## What it’s for, `really`\n\n## Calls\n\n' +
    '```sh\n# Not a heading\n```\n',
};

test('project: its documents are read, and their citations name documents, headings and paths that exist', () => {
  for (const path of ['README.md', 'docs/pictures/card-light.png', 'view/tokens.css'])
    expect([...TEXTS.keys()]).toContain(path);
  expect(PROJECT.filter(({ text }) => text.includes('docs/develop/product.md#'))).not.toEqual([]);
  expect(findMissing(PROJECT)).toEqual([]);
});

test('citations: deliberate broken ones are found in code and links, and paths that do not exist', () => {
  const cited =
    'docs/develop/product.md#nothing docs/develop/product.md# docs/nothing.md docs/decisions/product.md ' +
    // In a code block.
    'docs/develop/product.md#not-a-heading';
  const links = 'nothing.md product.md#nothing #nothing ../product.md pictures/card.png decisions/';
  const page = `# One\n\n${links.replace(/\S+/g, '[a]($&)')}`;
  const paths =
    '`server/nothing.ts` `web/nothing/` `docs/develop/product.md` `docs/` `server/<name>/` `a/b`';
  const files = [
    DOCUMENT,
    { path: 'web/a.css', text: `a {}\n/* x */\n// See ${cited}.\n` },
    { path: 'docs/develop/design.md', text: page },
    { path: 'README.md', text: `# One\n${paths}` },
    { path: 'a.json', text: '["server/nothing.ts"]' },
  ];
  expect(findMissing(files)).toEqual([
    ...cited.split(' ').map((one) => `web/a.css:3 cites ${one}`),
    ...links.split(' ').map((one) => `docs/develop/design.md:3 cites ${one}`),
    ...['server/nothing.ts', 'web/nothing/'].map((path) => `README.md:2 cites ${path}`),
    'a.json:1 cites server/nothing.ts',
  ]);
});

test('hardening/faults.json: each fault can be planted, and its tests exist', () => {
  const faults = JSON.parse(TEXTS.get('hardening/faults.json') ?? '[]') as Fault[];
  expect(faults.length).toBeGreaterThan(30);
  expect(faults.filter(({ file, search }) => !TEXTS.get(file)?.includes(search))).toEqual([]);
  expect(faults.flatMap(({ tests }) => tests).filter((path) => !TEXTS.has(path))).toEqual([]);
});
