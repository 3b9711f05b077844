import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

import type { OwnerDocument } from '#contract/owner-document.ts';

export interface WebFile {
  readonly contentType: string;
  readonly content: Buffer;
  /** Undefined for a file that is compressed already, and in development. */
  readonly compressed?: Readonly<Record<'br' | 'gzip', Buffer>> | undefined;
}

/** The built files for the browser. */
export interface WebFiles {
  readonly documents: readonly OwnerDocument[];
  /** Inlined in each document. */
  readonly style: string;
  /** The scripts that are inlined in the public card. */
  readonly cardScripts: Readonly<Record<CardScriptName, string>>;
  /** The embedded login provider's script. */
  readonly loginScript: string;
  /** The service worker without its list of files; '' in development. */
  readonly workerScript: string;
  /** The files under /assets/ by name. A name contains a hash of the content. */
  readonly assets: ReadonlyMap<string, WebFile>;
}

/** Counting has the beacon of the Analytics view; translated has no texts of its own. */
const CARD_SCRIPTS = [
  'card',
  'card-counting',
  'card-translated',
  'card-translated-counting',
] as const;

type CardScriptName = (typeof CARD_SCRIPTS)[number];

interface CardScriptOptions {
  readonly countsVisits: boolean;
  readonly hasLanguages: boolean;
}

export function cardScriptName(options: CardScriptOptions): CardScriptName {
  const { countsVisits, hasLanguages } = options;
  return `card${hasLanguages ? '-translated' : ''}${countsVisits ? '-counting' : ''}`;
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

/** The build writes both beside a file that they make smaller. */
const COMPRESSED = /\.(br|gz)$/;

export async function readWebFiles(folder: string): Promise<WebFiles> {
  const text = (name: string) => readFile(join(folder, name), 'utf8');
  const names = new Set(await readdir(join(folder, 'assets')));
  const read = (name: string) => readFile(join(folder, 'assets', name));
  const assets = await Promise.all(
    [...names]
      .filter((name) => !COMPRESSED.test(name))
      .map(async (name): Promise<[string, WebFile]> => {
        const contentType = CONTENT_TYPES[extname(name)] ?? 'application/octet-stream';
        const compressed = names.has(`${name}.br`)
          ? { br: await read(`${name}.br`), gzip: await read(`${name}.gz`) }
          : undefined;
        return [name, { contentType, content: await read(name), compressed }];
      }),
  );
  return {
    documents: JSON.parse(await text('documents.json')) as OwnerDocument[],
    style: await text('style.css'),
    cardScripts: Object.fromEntries(
      await Promise.all(
        CARD_SCRIPTS.map(async (name) => [name, await text(`${name}.js`)] as const),
      ),
    ) as WebFiles['cardScripts'],
    loginScript: await text('login.js'),
    workerScript: await text('worker.js'),
    assets: new Map(assets),
  };
}
