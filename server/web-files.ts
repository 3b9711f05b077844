import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file for the browser, ready to be sent. */
export interface WebFile {
  readonly type: string;
  readonly content: Buffer;
}

/** What the build made for the browser. */
export interface WebFiles {
  /** The owner's application: an HTML page with a place for its settings. */
  readonly applicationPage: string;
  /** The public card's small script, to be put inline. */
  readonly cardScript: string;
  /** The embedded login provider's script. */
  readonly loginScript: string;
  /** Everything under /assets/, by file name; names carry a hash of their content. */
  readonly assets: ReadonlyMap<string, WebFile>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

/** Reads the built browser files from a folder. */
export async function readWebFiles(folder: string): Promise<WebFiles> {
  const text = (name: string) => readFile(join(folder, name), 'utf8');
  const names = await readdir(join(folder, 'assets'));
  const assets = await Promise.all(
    names.map(async (name): Promise<[string, WebFile]> => {
      const content = await readFile(join(folder, 'assets', name));
      return [name, { type: TYPES[extname(name)] ?? 'application/octet-stream', content }];
    }),
  );
  return {
    applicationPage: await text('index.html'),
    cardScript: await text('card.js'),
    loginScript: await text('login.js'),
    assets: new Map(assets),
  };
}
