import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A source file of the house, by its path from the root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A rule of the house: gives back one sentence for each place that breaks it. */
export type Rule = (sources: readonly Source[]) => string[];

const ROOT = join(import.meta.dirname, '..', '..');
const RINGS = ['domain', 'contract', 'view', 'server', 'web'] as const;
const LINES_MAX = 200;
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
const EMPTY_WORDS = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'common',
  'lib',
  'types',
  'misc',
]);
/** What each ring may know of the others and of packages; anything that is not named is refused. */
const MAY_KNOW: Record<string, RegExp> = {
  domain: /^(#domain\/|zod\/mini$)/,
  contract: /^(#(domain|contract)\/|zod\/mini$)/,
  view: /^(#(domain|view)\/|react$|react\/|qrcode\.react$)/,
  server: /^(#(domain|contract|view|server)\/|node:|[a-z@])/,
  web: /^(#(domain|contract|view|web)\/|(?!node:|fastify|pg$|pino|sharp|@photostructure)[a-z@])/,
};
/** Folders that every feature of a ring may use; each other folder is a feature. */
const SHARED = new Set(['server/http', 'server/db', 'web/http', 'web/ui']);
/** Files that join features, and the single ways from one feature into another. */
const JOINS = new Set(['server/http/route.ts', 'server/parts.ts']);
const WAYS: Record<string, string> = {
  // Cards are drawn of the very row that the calls read.
  'server/page': 'server/user',
  // A backup holds the photos beside the rows that name them.
  'server/backup': 'server/photo',
  // The page that holds the embedded widget brings the style that the widget's script may not.
  'web/signin': 'web/login',
};
/** Where a program begins, and what it hands its environment to. */
const ENVIRONMENT_READERS = new Set([
  'server/settings.ts',
  'server/main.ts',
  'server/backup/command.ts',
]);

/** Every source file of the five rings. */
export function readSources(): Source[] {
  return RINGS.flatMap((ring) =>
    readdirSync(join(ROOT, ring), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|css)$/.test(name))
      .map((name) => {
        const path = `${ring}/${name}`;
        return { path, text: readFileSync(join(ROOT, path), 'utf8') };
      }),
  );
}

const isTest = ({ path }: Source) => /\.test\.tsx?$/.test(path);
const folderOf = (path: string) => path.split('/').slice(0, -1);
/** The feature or shared folder that a path is in, '' for a file at a ring's root. */
const roomOf = (path: string) =>
  path.split('/').length > 2 ? folderOf(path).slice(0, 2).join('/') : '';

function importsOf({ text }: Source): string[] {
  return [...text.replace(COMMENT, '').matchAll(IMPORT)].map(
    ([, from, bare]) => from ?? bare ?? '',
  );
}

/** One sentence for each import that a judge refuses. */
function eachImport(isRefused: (source: Source, name: string) => boolean): Rule {
  return (sources) =>
    sources.flatMap((source) =>
      importsOf(source)
        .filter((name) => isRefused(source, name))
        .map((name) => `${source.path} imports ${name}`),
    );
}

export const RULES: Record<string, Rule> = {
  'no file is longer than 200 lines of its own, blank lines and comments aside': (sources) =>
    sources
      .filter((source) => !isTest(source))
      .map(({ path, text }) => ({
        path,
        count: text.replace(COMMENT, '').match(/\S.*$/gm)?.length ?? 0,
      }))
      .filter(({ count }) => count > LINES_MAX)
      .map(({ path, count }) => `${path} has ${count} lines`),

  'a folder’s name is one lower-case word that says something': (sources) =>
    [...new Set(sources.flatMap(({ path }) => folderOf(path)))].filter(
      (name) => !/^[a-z]+[0-9]*$/.test(name) || EMPTY_WORDS.has(name),
    ),

  'no file is called index': (sources) =>
    sources.map(({ path }) => path).filter((path) => /(^|\/)index\.[a-z]+$/.test(path)),

  'no import climbs out of its folder': eachImport((_, name) => name.startsWith('..')),

  'a ring knows only what it may know': eachImport((source, name) => {
    const ring = source.path.split('/')[0] ?? '';
    if (isTest(source) || name.startsWith('./')) return false;
    return !MAY_KNOW[ring]?.test(name);
  }),

  'features never import each other, and what is shared imports no feature': eachImport(
    (source, name) => {
      const [from, to] = [roomOf(source.path), roomOf(name.replace('#', ''))];
      if (isTest(source) || JOINS.has(source.path) || !from || !to || from === to) return false;
      const isInside = from.split('/')[0] === to.split('/')[0];
      return isInside && !SHARED.has(to) && WAYS[from] !== to;
    },
  ),

  'the environment is read in one place': (sources) =>
    sources
      .filter((source) => !isTest(source) && !ENVIRONMENT_READERS.has(source.path))
      .filter(({ text }) =>
        /\bprocess\s*\.\s*env\b|import\.meta\.env/.test(text.replace(COMMENT, '')),
      )
      .map(({ path }) => `${path} reads the environment`),
};
