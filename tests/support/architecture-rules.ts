import { fileCycles, moduleCycles } from './cycles.ts';
import { SERVER_FEATURES, httpImports, serverLayers, settingsImports } from './server-layers.ts';
import { codeOf, importsOf, isTest } from './source.ts';
import type { Source } from './source.ts';

/** A rule of the architecture: returns one sentence for each place that breaks it. */
type Rule = (sources: readonly Source[]) => string[];

const LINES_MAX = 200;
const MEANINGLESS_NAMES = new Set('utils util helpers helper common lib types misc'.split(' '));
/** Singular words, and standard terms that have no singular. */
const NAMES_ENDING_IN_S = new Set('analytics migrations settings sms status vitals'.split(' '));
/** The other layers and the packages that each layer may import. */
const LAYER_IMPORTS: Record<string, RegExp> = {
  domain: /^(#domain\/|zod\/mini$|culori\/fn$)/,
  contract: /^(#(domain|contract)\/|zod\/mini$)/,
  view: /^(#(domain|view)\/|react$|react\/|libphonenumber-js\/min$|lean-qr(\/|$))/,
  server: /^(#(domain|contract|view|server)\/|#manifest$|node:|[a-z@])/,
  web: /^(#(domain|contract|view|web)\/|(?!node:|fastify|pg$|pino|sharp|@photostructure)[a-z@])/,
};
/** Folders that every feature of the browser may import. */
const WEB_SHARED = new Set(
  'web/http web/navigation web/offline web/otp web/photo web/profile web/ui web/vitals'.split(' '),
);
/** The entry points, and the file that they pass the environment to. */
const ENVIRONMENT_READERS = new Set([
  'server/settings/settings.ts',
  'server/start/service.ts',
  'server/admin/command.ts',
  'server/backup/command.ts',
  'server/demo/command.ts',
]);

/** The files with the time-out of a request. The card's script has its own, because its size is limited. */
const FETCHERS = new Set(['web/http/request.ts', 'web/card/main.ts']);

/** The tables of limits that are in docs/security.md, and two that reject no call. */
const RATE_LIMITERS = new Set([
  'server/limit/rate-limit.ts',
  'server/otp/token-limits.ts',
  'server/analytics/visit-counter.ts',
  'server/signin/embedded-routes.ts',
]);

const CARD_STORE = 'server/profile/store.ts';
/** A statement that updates a user, and what it sets. */
const USER_UPDATE =
  /\b(?:UPDATE|INTO)\s+users\b[^`;]*?\bSET\s([^`;]*?)(?:\b(?:WHERE|RETURNING)\b|[`;])/gi;
/** The login phone and the time of a change; or a column set to itself, to lock the row. */
const OUTSIDE_OF_CARD = /^(?:(?:login_phone|updated_at) = [^,]+(?:, |$)|(\w+) = \1$)+$/;

/** What is wrong with the name of a folder; '' if nothing is. */
function folderFault(name: string): string {
  if (!/^[a-z]+[0-9]*$/.test(name)) return 'not one lower-case word';
  if (MEANINGLESS_NAMES.has(name)) return 'does not describe its content';
  return /[^s]s$/.test(name) && !NAMES_ENDING_IN_S.has(name) ? 'plural, use singular' : '';
}

const foldersOf = (path: string) => path.split('/').slice(0, -1);
/** The feature or shared folder of a path; '' for a file directly in a layer. */
const featureOf = (path: string) =>
  path.split('/').length > 2 ? foldersOf(path).slice(0, 2).join('/') : '';

/** One sentence for each import that the condition rejects. */
function rejectImports(isRejected: (source: Source, name: string) => boolean): Rule {
  return (sources) =>
    sources.flatMap((source) =>
      importsOf(source)
        .filter((name) => isRejected(source, name))
        .map((name) => `${source.path} imports ${name}`),
    );
}

/** One sentence for each source, no test, whose code matches. */
function rejectCode(code: RegExp, isChecked: (path: string) => boolean): Rule {
  return (sources) =>
    sources
      .filter((source) => !isTest(source) && isChecked(source.path))
      .filter((source) => code.test(codeOf(source)))
      .map(({ path }) => `${path} has ${code.source}`);
}

export const RULES: Record<string, Rule> = {
  'file: has at most 200 lines of code': (sources) =>
    sources
      .filter((source) => !isTest(source))
      .map((source) => ({
        path: source.path,
        count: codeOf(source).match(/\S.*$/gm)?.length ?? 0,
      }))
      .filter(({ count }) => count > LINES_MAX)
      .map(({ path, count }) => `${path} has ${count} lines`),

  'file: is not called index': (sources) =>
    sources.map(({ path }) => path).filter((path) => /(^|\/)index\.[a-z]+$/.test(path)),

  'folder: its name is one lower-case word that describes it, in the singular': (sources) =>
    [...new Set(sources.map(({ path }) => foldersOf(path).join('/')))].flatMap((folder) => {
      const fault = folder.split('/').map(folderFault).find(Boolean);
      return fault ? [`${folder}: ${fault}`] : [];
    }),

  'import: never starts with ../': rejectImports(
    // The output of the build is no source.
    (_, name) => name.startsWith('..') && !name.startsWith('../dist/'),
  ),

  'layer: imports only the layers and packages that it may import': rejectImports(
    (source, name) => {
      const layer = source.path.split('/')[0] ?? '';
      if (isTest(source) || name.startsWith('./')) return false;
      return !LAYER_IMPORTS[layer]?.test(name);
    },
  ),

  'feature: its files with the context are imported by no other feature': (sources) => {
    const ofContext = new Set(
      sources
        .filter((source) => importsOf(source).includes('#server/context.ts'))
        .map(({ path }) => `#${path}`),
    );
    return rejectImports((source, name) => {
      const [from, to] = [featureOf(source.path), featureOf(name.replace('#', ''))];
      if (isTest(source) || !from || from === to || from === 'server/start') return false;
      return SERVER_FEATURES.has(to) && ofContext.has(name);
    })(sources);
  },

  'feature: is imported by no other feature of the browser and by no shared folder': rejectImports(
    (source, name) => {
      const [from, to] = [featureOf(source.path), featureOf(name.replace('#', ''))];
      if (isTest(source) || !from || !to || from === to) return false;
      return to.startsWith('web/') && !WEB_SHARED.has(to);
    },
  ),

  'server: no module imports one of a higher layer': serverLayers,

  'server: database, pictures, profiles and photo store import no HTTP': httpImports,

  'settings: import no database, no HTTP and no folder of a provider; descriptions neither':
    settingsImports,

  'import cycle: none between files': fileCycles,

  'import cycle: none between modules': moduleCycles,

  'browser: every request has a time-out': rejectCode(
    /\bfetch\(|\bcache\.add(All)?\(/,
    (path) => path.startsWith('web/') && !FETCHERS.has(path),
  ),

  'card: only changeCard sets a column of one': (sources) =>
    sources
      .filter((source) => source.path.startsWith('server/') && !isTest(source))
      .flatMap((source) =>
        [...codeOf(source).matchAll(USER_UPDATE)]
          .map(([, set = '']) => set.trim())
          .filter((set) => !(source.path === CARD_STORE && set.startsWith('${joinSql(assignments')))
          .filter((set) => !OUTSIDE_OF_CARD.test(set))
          .map((set) => `${source.path} changes a card: SET ${set}`),
      ),

  'card: only runCardChange drops finished responses': rejectCode(
    /\bresponses\??\.drop\(/,
    (path) => path !== 'server/profile/card-change.ts',
  ),

  'limit: a call takes its rate limit from the table in server/limit/rate-limit.ts': rejectCode(
    /new MemoryRateLimit\(/,
    (path) => !RATE_LIMITERS.has(path),
  ),

  'environment: is read in the entry points and in settings only': rejectCode(
    /\bprocess\s*\.\s*env\b|import\.meta\.env/,
    (path) => !ENVIRONMENT_READERS.has(path),
  ),
};
