import { readFileSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface Source {
  readonly path: string;
  readonly text: string;
}

const ROOT = join(import.meta.dirname, '..', '..');
const LAYERS = ['domain', 'contract', 'view', 'server', 'web'];
const TOOLS = ['bench', 'scripts', 'hardening'];
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm;
const IMPORT =
  /(?:^|[\s;}])(?:import|export)\s[^;'"]*?from\s*['"]([^'"]+)['"]|\bimport\s*\(?\s*['"]([^'"]+)['"]/g;

export const readSources = (): Source[] => readFolders(LAYERS);

/** Every source file of the tools for development, tests included. */
export const readTools = (): Source[] => readFolders(TOOLS);

function readFolders(folders: readonly string[]): Source[] {
  return folders.flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(ts|tsx|mjs|css)$/.test(name))
      .map((name) => {
        const path = `${folder}/${name}`;
        return { path, text: readFileSync(join(ROOT, path), 'utf8') };
      }),
  );
}

export const isTest = ({ path }: Source) => /\.test\.(tsx?|mjs)$/.test(path);

export const codeOf = ({ text }: Source) => text.replace(COMMENT, '');

export function importsOf(source: Source): string[] {
  return [...codeOf(source).matchAll(IMPORT)].map(([, from, bare]) => from ?? bare ?? '');
}

/** Returns the path, from the root, of an imported file; null for a package. */
export function importedPath({ path }: Source, name: string): string | null {
  if (name.startsWith('#')) return name.slice(1);
  return name.startsWith('.') ? posix.join(posix.dirname(path), name) : null;
}

/**
 * Returns the module of a file. Each folder or file directly in `server/` or `web/` is a module;
 * every other layer is one module.
 */
export function moduleOf(path: string): string {
  const [layer = '', name = ''] = path.split('/');
  return layer === 'server' || layer === 'web' ? `${layer}/${name}` : layer;
}
