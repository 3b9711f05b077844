import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A source file of the context, by its path from the root. */
export interface Source {
  readonly path: string;
  readonly text: string;
}

/** A rule of the context: gives back one sentence for each place that breaks it. */
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
/** The features of the server; its other folders are adapters and what features share. */
const SERVER_FEATURES = new Set(
  ['backup', 'card', 'contact', 'metric', 'page', 'photo', 'signin', 'status', 'user'].map(
    (name) => `server/${name}`,
  ),
);
/** Folders that every feature of the browser may import. */
const WEB_SHARED = new Set(['web/http', 'web/ui']);
/** The exceptions, each with its reason. */
const ALLOWED_IMPORTS: Record<string, string> = {
  // The login page loads the style of the embedded widget, because the widget's script may not.
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
      if (isTest(source) || !from || !to || from === to) return false;
      if (to.startsWith('server/')) return SERVER_FEATURES.has(to);
      return to.startsWith('web/') && !WEB_SHARED.has(to) && ALLOWED_IMPORTS[from] !== to;
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
