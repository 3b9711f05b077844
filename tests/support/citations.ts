import { readFileSync, readdirSync } from 'node:fs';
import { dirname, extname, join, posix } from 'node:path';

/** A file of the repository, by its path from the root; the text of a binary file is empty. */
export interface ProjectFile {
  readonly path: string;
  readonly text: string;
}

const ROOT = join(import.meta.dirname, '..', '..');
const SKIPPED_FOLDERS = new Set('.cache .git data dist node_modules shots test-results'.split(' '));
const TEXT_EXTENSIONS = new Set(
  '.ts .tsx .js .mjs .css .html .md .py .java .yaml .toml .json .env'.split(' '),
);
/** Not read: these two files contain wrong citations on purpose. */
const UNREAD_FILES = new Set(['tests/citations.test.ts', 'tests/support/citations.ts']);

const CITATION = /\bdocs\/[\w./-]+?\.md(?:#[\w-]*)?/g;
const LINK = /\]\(([^)\s]+)\)/g;
const CODE_BLOCK = /^```[\s\S]*?^```/gm;
const HEADING = /^#{1,6} +(.+?) *#*$/gm;
/** A path in a document's code span; a path with a placeholder or a pattern does not match. */
const CODE_PATH =
  /`((?:bench|contract|deploy|docs|domain|hardening|scripts|server|tests|view|web)\/[\w./-]*)`/g;
/** Names of working documents that are not in this repository; a citation of them would lead nowhere. */
const OUTSIDE_DOCUMENT =
  /\bspecification\b|\b(?:decisions|hardening|look|login providers|beyond),? (?:"|sections? \d)/i;

/** A line that a change in a recipe adds. */
const ADDED_LINE = /^ *\+.*$/gm;

export function readProject(folder = ''): ProjectFile[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return SKIPPED_FOLDERS.has(path) ? [] : readProject(path);
    if (!entry.isFile()) return [];
    const isText =
      (TEXT_EXTENSIONS.has(extname(path)) || entry.name === 'Dockerfile') &&
      !UNREAD_FILES.has(path);
    return [{ path, text: isText ? readFileSync(join(ROOT, path), 'utf8') : '' }];
  });
}

/** One sentence for each citation of a document or a heading that does not exist. */
export const findBrokenCitations = (files: readonly ProjectFile[]): string[] =>
  findMissing(files, 'cites', (file) => [
    ...citations(file),
    ...(file.path.endsWith('.md') ? links(file) : []),
  ]);

/** One sentence for each line that cites a document outside of the repository. */
export const findOutsideCitations = (files: readonly ProjectFile[]): string[] =>
  files.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line, index) => {
      const isOutside = OUTSIDE_DOCUMENT.test(line);
      return isOutside ? [`${path}:${index + 1} cites an outside document: ${line.trim()}`] : [];
    }),
  );

/** One sentence for each path in a document that does not exist, but for what a recipe adds. */
export const findMissingPaths = (files: readonly ProjectFile[]): string[] =>
  findMissing(files, 'names', ({ path, text }) =>
    path.endsWith('.md') ? matches(text.replace(ADDED_LINE, ''), CODE_PATH) : [],
  );

function findMissing(
  files: readonly ProjectFile[],
  verb: string,
  find: (file: ProjectFile) => Citation[],
): string[] {
  const texts = new Map(files.map(({ path, text }) => [path, text]));
  return files.flatMap((file) =>
    find(file)
      .filter(({ target }) => !exists(target, texts))
      .map(({ line, written }) => `${file.path}:${line} ${verb} ${written}`),
  );
}

interface Citation {
  readonly line: number;
  readonly written: string;
  /** A path from the root, with `#` and a heading if one is cited. */
  readonly target: string;
}

const matches = (text: string, pattern: RegExp): Citation[] =>
  [...text.matchAll(pattern)].map(({ 0: whole, 1: written = whole, index }) => ({
    line: text.slice(0, index).split('\n').length,
    written,
    target: written,
  }));

/** `docs/….md` and `docs/….md#…`, wherever they are written. */
const citations = ({ text }: ProjectFile) => matches(text, CITATION);

/** Markdown links to files and headings; an address with a scheme is not checked. */
const links = ({ path, text }: ProjectFile) =>
  matches(text, LINK)
    .filter(({ written }) => !/^[a-z]+:/.test(written))
    .map((link) => {
      const [file = '', heading] = link.written.split('#');
      const target = file === '' ? path : posix.join(dirname(path), file);
      return { ...link, target: heading === undefined ? target : `${target}#${heading}` };
    });

function exists(target: string, texts: ReadonlyMap<string, string>): boolean {
  const [path = '', heading] = target.split('#');
  const text = texts.get(path);
  if (heading !== undefined) return text !== undefined && slugsOf(text).has(heading);
  const folder = path.endsWith('/') ? path : `${path}/`;
  return text !== undefined || [...texts.keys()].some((file) => file.startsWith(folder));
}

/** The anchors that GitHub gives to the headings of a document. */
function slugsOf(text: string): ReadonlySet<string> {
  const counts = new Map<string, number>();
  const slugs = [...text.replace(CODE_BLOCK, '').matchAll(HEADING)].map(([, heading = '']) => {
    const slug = heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\p{M} _-]/gu, '')
      .replaceAll(' ', '-');
    const count = counts.get(slug) ?? 0;
    counts.set(slug, count + 1);
    return count === 0 ? slug : `${slug}-${count}`;
  });
  return new Set(slugs);
}
