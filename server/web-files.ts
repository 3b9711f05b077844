import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

/** A file for the browser with its content type. */
export interface WebFile {
  readonly type: string;
  readonly content: Buffer;
}

/** The built files for the browser. */
export interface WebFiles {
  /** The HTML page of the owner's application, before its settings are inserted. */
  readonly applicationPage: string;
  /** The script that is inlined in the public card. */
  readonly cardScript: string;
  /** The embedded login provider's script. */
  readonly loginScript: string;
  /** The files under /assets/ by name. A name contains a hash of the content. */
  readonly assets: ReadonlyMap<string, WebFile>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
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
      return [name, { type: CONTENT_TYPES[extname(name)] ?? 'application/octet-stream', content }];
    }),
  );
  return {
    applicationPage: await text('index.html'),
    cardScript: await text('card.js'),
    loginScript: await text('login.js'),
    assets: new Map(assets),
  };
}
