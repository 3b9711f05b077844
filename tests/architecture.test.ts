import { posix } from 'node:path';

import { expect, test } from 'vitest';

import { readProject } from './support/project.ts';
import type { ProjectFile as Source } from './support/project.ts';

/** Returns one sentence for each place that breaks a rule. */
type Find = (sources: readonly Source[]) => string[];

interface Rule {
  readonly find: Find;
  /** Files with their texts; together they break the rule at one place. */
  readonly violations: readonly Readonly<Record<string, string>>[];
}

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;
const LINES_MAX = 200;
const MEANINGLESS_NAMES = new Set('utils util helpers helper common lib types misc'.split(' '));
const NAMES_ENDING_IN_S = new Set('analytics migrations settings sms status vitals'.split(' '));
/** The other layers and the packages that each layer may import. */
const LAYER_IMPORTS: Record<string, RegExp> = {
  domain: /^(#domain\/|zod\/mini$|culori\/fn$)/,
  contract: /^(#(domain|contract)\/|zod\/mini$)/,
  view: /^(#(domain|view)\/|react$|react\/|libphonenumber-js\/min$|lean-qr(\/|$))/,
  server: /^(#(domain|contract|view|server)\/|#manifest$|node:|[a-z@])/,
  web: /^(#(domain|contract|view|web)\/|#manifest$|(?!node:|fastify|pg$|pino|sharp|@photostructure)[a-z@])/,
};
/** The layers of `server/` from the lowest; each may import its own and those below. What has no place here is the lowest. */
const SERVER_LEVELS = [
  'http settings',
  'adapter',
  'context.ts dependencies.ts',
  'feature',
  'app.ts',
  'start main.ts command',
].map((modules) => modules.split(' ').map((name) => `server/${name}`));
const LOWEST = 0;
/** Folders whose folders and files are modules. */
const DIVIDED = new Set(['feature', 'adapter', 'command', 'shared']);
/** The entry points, and the file that they pass the environment to. */
const ENVIRONMENT_READER =
  /^server\/(settings\/settings|start\/service|command\/\w+\/command)\.ts$/;
/** The files with the time-out of a request. The card's script has its own, because its size is limited. */
const FETCHERS = new Set(['web/shared/http/request.ts', 'web/feature/card/main.ts']);
/** The tables of limits that are in docs/develop/security.md, and two that reject no call. */
const RATE_LIMITER =
  /^server\/(http\/limit|adapter\/otp\/provider-tokens|feature\/(analytics\/visit-counter|signin\/routes))\.ts$/;
/** server/start/stop.ts logs what any other handler throws. */
const PROCESS_END =
  /^server\/(start|command)\/|\bdecode-worker\.ts$|^server\/adapter\/database\/sqlite-writer\.ts$/;
/** The health tells the operator whether a proxy is missing in TRUST_PROXY. Commands are clients. */
const FORWARDED_READER = /^server\/(command\/|http\/proxy\.ts|feature\/status\/routes\.ts)/;
const CARD_STORE = 'server/adapter/profile/store.ts';
const USER_UPDATE =
  /\b(?:UPDATE|INTO)\s+users\b[^`;]*?\bSET\s([^`;]*?)(?:\b(?:WHERE|RETURNING)\b|[`;])/gi;
/** The login phone, email or subject, the day of the last use, and the time of a change; or a column set to itself, to lock the row. */
const OUTSIDE_OF_CARD =
  /^(?:(?:login_(?:phone|email)|oidc_subject|updated_at|used_at|phone_lost_at) = [^,]+(?:, |$)|(\w+) = \1$)+$/;

const withoutTests = (sources: readonly Source[]) =>
  sources.filter(({ path }) => !/\.test\.(tsx?|mjs)$/.test(path));

const codeOf = ({ text }: Source) => text.replace(COMMENT, '');

const importsOf = (source: Source) =>
  [...codeOf(source).matchAll(IMPORT)].map(([, from, bare]) => from ?? bare ?? '');

function importedPath({ path }: Source, name: string): string {
  if (name.startsWith('#')) return name.slice(1);
  return name.startsWith('.') ? posix.join(posix.dirname(path), name) : name;
}

/** A folder such as `server/feature/user`, or a file directly in a layer; other layers than these two are one module. */
function moduleOf(path: string): string {
  const [layer = '', folder = '', name = ''] = path.split('/');
  if (layer !== 'server' && layer !== 'web') return layer;
  return DIVIDED.has(folder) ? `${layer}/${folder}/${name}` : `${layer}/${folder}`;
}

const foldersOf = (path: string) => path.split('/').slice(0, -1);
const featureOf = (path: string) => (/^\w+\/feature\//.test(path) ? moduleOf(path) : '');

function folderFault(name: string): string {
  if (!/^[a-z]+[0-9]*$/.test(name)) return 'not one lower-case word';
  if (MEANINGLESS_NAMES.has(name)) return 'does not describe its content';
  return /[^s]s$/.test(name) && !NAMES_ENDING_IN_S.has(name) ? 'plural, use singular' : '';
}

function levelOf(path: string): number {
  const name = path.split('/').slice(0, 2).join('/');
  const level = SERVER_LEVELS.findIndex((modules) => modules.includes(name));
  return level === -1 ? LOWEST : level;
}

/** Rejects each import, outside of tests, for which the condition holds. `to` is a path or a package. */
const rejectImports =
  (isRejected: (from: string, to: string, name: string) => boolean): Find =>
  (sources) =>
    withoutTests(sources).flatMap((source) =>
      importsOf(source)
        .filter((name) => isRejected(source.path, importedPath(source, name), name))
        .map((name) => `${source.path} imports ${name}`),
    );

/** Rejects each import, outside of tests, whose two paths, with a space between them, match. */
const rejectPairs = (pair: RegExp) => rejectImports((from, to) => pair.test(`${from} ${to}`));

const rejectCode =
  (code: RegExp, isChecked: (path: string) => boolean): Find =>
  (sources) =>
    withoutTests(sources)
      .filter((source) => isChecked(source.path) && code.test(codeOf(source)))
      .map(({ path }) => `${path} has ${code.source}`);

/** Rejects each group of files, or of what `groupOf` puts them into, that import each other. */
const rejectCycles =
  (groupOf: (path: string) => string): Find =>
  (sources) => {
    const paths = new Set(sources.map(({ path }) => path));
    const graph = new Map<string, Set<string>>();
    for (const source of withoutTests(sources)) {
      const from = groupOf(source.path);
      const found = importsOf(source)
        .map((name) => importedPath(source, name))
        .filter((path) => paths.has(path))
        .map(groupOf);
      graph.set(from, new Set([...(graph.get(from) ?? []), ...found.filter((to) => to !== from)]));
    }
    const reach = (node: string, seen = new Set<string>()) => {
      for (const to of graph.get(node) ?? []) if (!seen.has(to)) reach(to, seen.add(to));
      return seen;
    };
    const reached = new Map([...graph.keys()].map((node) => [node, reach(node)]));
    const isBelow = (node: string, other: string) => reached.get(node)?.has(other) ?? false;
    const nodes = [...reached.keys()].filter((node) => isBelow(node, node));
    const cycles = nodes.map((node) =>
      nodes.filter((one) => isBelow(node, one) && isBelow(one, node)).join(', '),
    );
    return [...new Set(cycles)].map((cycle) => `${cycle} import each other`);
  };

/** Files with one import each, such as 'domain/a.ts zod'. */
const importing = (files: string) =>
  files.split(', ').map((file) => {
    const [path = '', name = ''] = file.split(' ');
    return { [path]: `import type { x } from '${name}';` };
  });
const together = (files: string) =>
  Object.assign({}, ...importing(files)) as Record<string, string>;
const empty = (files: string) => files.split(' ').map((path) => ({ [path]: '' }));

const RULES: Readonly<Record<string, Rule>> = {
  // Lint checks the other files.
  'style sheet: has at most 200 lines of code': {
    find: (sources) =>
      sources
        .filter(({ path }) => path.endsWith('.css'))
        .filter((source) => (codeOf(source).match(/\S.*$/gm)?.length ?? 0) > LINES_MAX)
        .map(({ path }) => path),
    violations: [{ 'view/long.css': 'a { color: red; }\n'.repeat(201) }],
  },
  'file: is not called index': {
    find: (sources) =>
      sources.map(({ path }) => path).filter((path) => /(^|\/)index\.[a-z]+$/.test(path)),
    violations: empty('web/shared/ui/index.ts domain/index.tsx'),
  },
  'folder: its name is one lower-case word that describes it, in the singular': {
    find: (sources) =>
      [...new Set(sources.map(({ path }) => foldersOf(path).join('/')))].flatMap((folder) => {
        const fault = folder.split('/').map(folderFault).find(Boolean);
        return fault ? [`${folder}: ${fault}`] : [];
      }),
    violations: empty('server/utils/a.ts web/myThing/a.ts web/two-words/a.ts server/contacts/a.ts'),
  },
  'layer: imports only the layers and packages that it may import': {
    find: rejectImports(
      (from, _to, name) =>
        !name.startsWith('./') && !LAYER_IMPORTS[from.split('/')[0] ?? '']?.test(name),
    ),
    violations: importing(
      'domain/a.ts #contract/x.ts, domain/b.ts zod, domain/c.ts node:fs, contract/a.ts #server/x.ts, ' +
        'view/a.tsx #contract/x.ts, view/b.tsx node:path, server/a.ts #web/x.ts, ' +
        'server/b.ts #tests/x.ts, web/a.ts #server/x.ts, web/b.ts node:fs, web/c.ts fastify',
    ),
  },
  'feature: its files with the context are imported by no other feature': {
    find: (sources) => {
      const ofContext = new Set(
        sources
          .filter((source) => importsOf(source).includes('#server/context.ts'))
          .map(({ path }) => path),
      );
      return rejectImports((from, to) => {
        const feature = featureOf(from);
        if (!feature || feature === featureOf(to)) return false;
        return to.startsWith('server/feature/') && ofContext.has(to);
      })(sources);
    },
    violations: [
      together(
        'server/feature/contact/a.ts #server/feature/user/a.ts, server/feature/user/a.ts #server/context.ts',
      ),
    ],
  },
  'feature: is imported by no other feature of the browser and by no shared folder': {
    find: rejectImports((path, imported) => {
      const [from, to] = [featureOf(path), featureOf(imported)];
      const isShared = path.startsWith('web/shared/');
      return (from !== '' || isShared) && from !== to && to.startsWith('web/');
    }),
    violations: importing(
      'web/feature/edit/a.tsx #web/feature/account/a.tsx, web/shared/ui/a.tsx #web/feature/edit/a.tsx',
    ),
  },
  'server: no module imports one of a higher layer': {
    find: rejectImports(
      (from, to) => /^server\/.*\nserver\//.test(`${from}\n${to}`) && levelOf(to) > levelOf(from),
    ),
    violations: importing(
      'server/adapter/database/a.ts #server/feature/user/store.ts, server/adapter/otp/a.ts #server/context.ts, ' +
        'server/adapter/storage/a.ts #server/dependencies.ts, ' +
        'server/http/a.ts #server/adapter/database/database.ts, server/http/b.ts #server/adapter/session.ts, ' +
        'server/context.ts #server/feature/card/card-renderer.ts, server/settings/a.ts #server/context.ts, ' +
        'server/feature/user/a.ts #server/app.ts, server/app.ts ./start/service.ts',
    ),
  },
  'server: database, pictures, profiles and photo store import no HTTP, settings no other module': {
    // The database has errors of its own.
    find: rejectPairs(
      /^server\/(adapter\/((database|image|profile|storage)\/.* server\/http\/(?!limit\.ts)|database\/.* server\/error\.ts$)|settings\/.* server\/(?!settings\/|start-error\.ts$))/,
    ),
    violations: importing(
      'server/adapter/database/a.ts #server/http/route.ts, server/adapter/database/b.ts #server/error.ts, ' +
        'server/adapter/image/a.ts #server/http/route.ts, server/adapter/profile/a.ts #server/http/representation.ts, ' +
        'server/adapter/storage/a.ts #server/http/stored-response.ts, server/settings/table.ts #server/http/route.ts, ' +
        'server/settings/settings.ts #server/adapter/database/connect.ts',
    ),
  },
  'import cycle: none between modules': {
    find: rejectCycles(moduleOf),
    violations: [
      together(
        'server/http/a.ts #server/feature/page/b.ts, server/feature/page/b.ts zod, ' +
          'server/feature/page/c.ts #server/http/d.ts, server/http/d.ts zod',
      ),
      together(
        'web/routes.tsx #web/shared/ui/a.ts, web/shared/ui/a.ts zod, web/shared/ui/b.ts #web/shared/http/a.ts, ' +
          'web/shared/http/a.ts #web/routes.tsx',
      ),
    ],
  },
  'browser: every request has a time-out': {
    find: rejectCode(
      /\bfetch\(|\bcache\.add(All)?\(/,
      (path) => path.startsWith('web/') && !FETCHERS.has(path),
    ),
    violations: [
      { 'web/shared/ui/a.ts': "await fetch('/x');" },
      { 'web/shared/ui/b.ts': "await cache.add('/x');" },
    ],
  },
  'server: no AbortSignal.any, which keeps an entry at a signal that lives long (Node 20)': {
    find: rejectCode(/\bAbortSignal\.any\b/, (path) => path.startsWith('server/')),
    violations: [{ 'server/http/a.ts': 'AbortSignal.any([one, other]);' }],
  },
  'card: only changeCard sets a column of one': {
    find: (sources) =>
      withoutTests(sources)
        .filter(({ path }) => path.startsWith('server/'))
        .flatMap((source) =>
          [...codeOf(source).matchAll(USER_UPDATE)]
            .map(([, set = '']) => set.trim())
            .filter((set) => source.path !== CARD_STORE || !set.startsWith('${joinSql(assignments'))
            .filter((set) => !OUTSIDE_OF_CARD.test(set))
            .map((set) => `${source.path} changes a card: SET ${set}`),
        ),
    violations: [
      { 'server/feature/user/a.ts': 'sql`UPDATE users SET name = ${x} WHERE id = ${id}`' },
      { 'server/feature/user/b.ts': 'sql`UPDATE users\n SET login_phone = ${x}, bio = ${x}`' },
      { 'server/feature/user/c.ts': "'UPDATE users SET blocked_at = NULL';" },
      { 'server/feature/user/d.ts': 'sql`update users set ${joinSql(assignments)} where id = 1`' },
      {
        'server/feature/user/e.ts':
          'sql`INSERT INTO users (id) ON CONFLICT DO UPDATE SET email = 1`',
      },
      { 'server/adapter/profile/store.ts': 'sql`UPDATE users SET name = ${x}`' },
    ],
  },
  'card: only runCardChange drops stored responses': {
    find: rejectCode(
      /\bresponses\??\.drop\(/,
      (path) => path !== 'server/adapter/profile/store.ts',
    ),
    violations: [{ 'server/feature/user/a.ts': 'context.responses.drop(userId);' }],
  },
  'limit: a call takes its rate limit from the table in server/http/limit.ts': {
    find: rejectCode(/new MemoryRateLimit\(/, (path) => !RATE_LIMITER.test(path)),
    violations: [
      {
        'server/feature/notification/a.ts': 'const limit = new MemoryRateLimit({ clock, max: 5 });',
      },
    ],
  },
  'process: is ended by its start, its stop, a command, and the end of the writing thread only': {
    find: rejectCode(
      /\bprocess\s*\.\s*(exit|abort)\(|new FatalError\(/,
      (path) => path.startsWith('server/') && !PROCESS_END.test(path),
    ),
    violations: [
      { 'server/http/a.ts': 'process.exit(1);' },
      { 'server/adapter/queue/a.ts': "throw new FatalError('The queue is full.');" },
    ],
  },
  'request: who sends it, and to which origin, is read in server/http/proxy.ts only': {
    find: rejectCode(
      /['"]x-forwarded-|\bremoteAddress\b|\brequest\.(host|hostname|ips|protocol)\b/,
      (path) => path.startsWith('server/') && !FORWARDED_READER.test(path),
    ),
    violations: [
      { 'server/feature/a/a.ts': "const host = headers['x-forwarded-host'];" },
      { 'server/http/a.ts': 'const { remoteAddress } = socket;' },
      { 'server/http/b.ts': 'const origin = `${request.protocol}://x`;' },
    ],
  },
  'environment: is read in the entry points and in settings only': {
    find: rejectCode(
      /\bprocess\s*\.\s*env\b|import\.meta\.env/,
      (path) => !ENVIRONMENT_READER.test(path),
    ),
    violations: [
      { 'server/http/a.ts': "const x = process.env['X'];" },
      { 'web/a.ts': 'const x = import.meta.env.X;' },
      { 'domain/a.ts': 'const x = process . env;' },
    ],
  },
};

const sourcesOf = (texts: Readonly<Record<string, string>>): Source[] =>
  Object.entries(texts).map(([path, text]) => ({ path, text }));

const PROJECT = readProject().filter(({ path }) => /\.(ts|tsx|mjs|css)$/.test(path));
const SOURCES = PROJECT.filter(({ path }) => /^(domain|contract|view|server|web)\//.test(path));
const TOOLS = PROJECT.filter(({ path }) => /^(bench|scripts|hardening)\//.test(path));

test.each(Object.entries(RULES))('architecture: %s', (name, { find, violations }) => {
  expect(find(name.startsWith('file') ? [...SOURCES, ...TOOLS] : SOURCES)).toEqual([]);
  for (const violation of violations) {
    expect([violation, find(sourcesOf(violation))]).toEqual([violation, [expect.any(String)]]);
  }
});

test('architecture: the sources of all layers are read', () => {
  const layers = new Set([...SOURCES, ...TOOLS].map(({ path }) => path.split('/')[0]));
  expect([layers.size, SOURCES.length > 100]).toEqual([8, true]);
});
