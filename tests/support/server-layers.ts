import { importedPath, importsOf, isTest, moduleOf } from './source.ts';
import type { Source } from './source.ts';

export const SERVER_FEATURES: ReadonlySet<string> = new Set(
  (
    'account admin analytics appearance backup card contact extra face metric notification ' +
    'page photo signin status user wallet'
  )
    .split(' ')
    .map((name) => `server/${name}`),
);

/** From the lowest to the highest; each may import itself and what is below it. */
const LAYERS = ['foundation', 'adapter', 'settings', 'context', 'feature', 'app', 'main'] as const;
type ServerLayer = (typeof LAYERS)[number];

const LAYER_OF_MODULE: Readonly<Record<string, ServerLayer>> = {
  'server/main.ts': 'main',
  'server/start': 'main',
  'server/app.ts': 'app',
  'server/demo': 'main',
  'server/context.ts': 'context',
  'server/dependencies.ts': 'context',
  'server/settings': 'settings',
  'server/http': 'foundation',
  'server/limit': 'foundation',
  'server/log': 'foundation',
};

const DATABASE_OR_HTTP = /^server\/(db|http|client)\//;
const WITHOUT_HTTP = /^server\/(db|image|profile|storage)\//;
const ERRORS_OF_CALLS = 'server/error.ts';
/** The folder of one provider or gateway. */
const PROVIDER_FOLDER = /^server\/(otp|sms)\/[a-z0-9]+\//;

/** Returns the layer of a path. By default a file in `server/` is foundation and a folder an adapter. */
function layerOf(path: string): ServerLayer {
  const name = moduleOf(path);
  if (SERVER_FEATURES.has(name)) return 'feature';
  return LAYER_OF_MODULE[name] ?? (name.endsWith('.ts') ? 'foundation' : 'adapter');
}

/** The paths that the source files of the server import from the server. */
function serverImports(sources: readonly Source[]): Map<string, string[]> {
  const files = sources.filter((source) => source.path.startsWith('server/') && !isTest(source));
  return new Map(
    files.map((source) => [
      source.path,
      importsOf(source)
        .map((name) => importedPath(source, name) ?? '')
        .filter((path) => path.startsWith('server/')),
    ]),
  );
}

/** One sentence for each import of a module of a higher layer. */
export function serverLayers(sources: readonly Source[]): string[] {
  return [...serverImports(sources)].flatMap(([from, paths]) =>
    paths
      .filter((to) => LAYERS.indexOf(layerOf(to)) > LAYERS.indexOf(layerOf(from)))
      .map((to) => `${from} (${layerOf(from)}) imports ${to} (${layerOf(to)})`),
  );
}

/**
 * One sentence for each import of HTTP by an adapter that knows nothing of it, and for each import of
 * the errors of calls by the database, which has its own.
 */
export function httpImports(sources: readonly Source[]): string[] {
  return [...serverImports(sources)].flatMap(([from, paths]) =>
    paths
      .filter((to) => WITHOUT_HTTP.test(from) && to.startsWith('server/http/'))
      .concat(from.startsWith('server/db/') ? paths.filter((to) => to === ERRORS_OF_CALLS) : [])
      .map((to) => `${from} imports ${to}`),
  );
}

/**
 * One sentence for each forbidden import of settings and descriptions. They must not load the code of
 * a provider, the database or HTTP: settings import descriptions only, and a description imports no
 * other file of its folder.
 */
export function settingsImports(sources: readonly Source[]): string[] {
  return [...serverImports(sources)].flatMap(([from, paths]) => {
    const isDescription = from.endsWith('/description.ts');
    if (!isDescription && !from.startsWith('server/settings/')) return [];
    return paths
      .filter((to) => DATABASE_OR_HTTP.test(to) || PROVIDER_FOLDER.test(to))
      .map((to) => `${from} imports ${to}`);
  });
}
