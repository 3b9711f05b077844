import { importedPath, importsOf, isTest, moduleOf } from './source.ts';
import type { Source } from './source.ts';

/** The features of the server. Every other folder but `http` is an adapter. */
export const SERVER_FEATURES: ReadonlySet<string> = new Set(
  ['backup', 'card', 'contact', 'metric', 'page', 'photo', 'signin', 'status', 'user'].map(
    (name) => `server/${name}`,
  ),
);

/** From the lowest to the highest; each may import itself and what is below it. */
const LAYERS = ['foundation', 'adapter', 'settings', 'context', 'feature', 'app', 'main'] as const;
type ServerLayer = (typeof LAYERS)[number];

const LAYER_OF_MODULE: Readonly<Record<string, ServerLayer>> = {
  'server/main.ts': 'main',
  'server/app.ts': 'app',
  'server/context.ts': 'context',
  'server/dependencies.ts': 'context',
  'server/secret.ts': 'context',
  'server/settings.ts': 'settings',
  'server/http': 'foundation',
};

/** What the settings must not depend on, so that a description of a setting opens nothing. */
const NOT_FOR_SETTINGS = /^server\/(db\/|http\/client\.ts$|context\.ts$|dependencies\.ts$)/;

/** A file directly in `server/` is foundation, and a folder an adapter, where nothing else is listed. */
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

/** One sentence for each import of a database, an HTTP client or the context below the settings. */
export function settingsImports(sources: readonly Source[]): string[] {
  const imports = serverImports(sources);
  const pending = ['server/settings.ts'];
  const seen = new Set(pending);
  const found: string[] = [];
  for (let from = pending.pop(); from !== undefined; from = pending.pop()) {
    for (const to of imports.get(from) ?? []) {
      if (NOT_FOR_SETTINGS.test(to)) found.push(`${from} imports ${to}`);
      else if (!seen.has(to)) pending.push(to);
      seen.add(to);
    }
  }
  return found;
}
