import { readFile, readdir } from 'node:fs/promises';
import { extname, join } from 'node:path';

export interface WebFile {
  readonly contentType: string;
  readonly content: Buffer;
  /** Undefined for a file that is compressed already, and in development. */
  readonly compressed?: Readonly<Record<'br' | 'gzip', Buffer>> | undefined;
}

export type WebFiles = Awaited<ReturnType<typeof readWebFiles>>;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
};

const COMPRESSED = /\.(br|gz)$/;

/** The chunks that Vite has built, by the paths of their modules. */
type Manifest = Readonly<Record<string, { file: string } & Partial<Record<Paths, string[]>>>>;
type Paths = 'assets' | 'imports' | 'dynamicImports';

/** Returns the paths of the files of the owner's pages, without those of modules that are not used. */
function findFiles(manifest: Manifest, isUsed: (name: string) => boolean): readonly string[] {
  const seen = new Set<string>();
  const files = new Set<string>();
  const visit = (name: string) => {
    const chunk = manifest[name];
    if (!chunk || seen.has(name)) return;
    seen.add(name);
    const { file, assets = [], imports = [], dynamicImports = [] } = chunk;
    for (const path of [file, ...assets]) files.add(`/${path}`);
    imports.forEach(visit);
    dynamicImports.filter(isUsed).forEach(visit);
  };
  ['index.html', 'style.css'].forEach(visit);
  return [...files];
}

export async function readWebFiles(folder: string) {
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
  const scriptPath = (name: string) =>
    `/assets/${[...names].find((file) => file.startsWith(`script-${name}-`) && file.endsWith('.js'))}`;
  const manifest = JSON.parse(await text('.vite/manifest.json')) as Manifest;
  return {
    /** The HTML of all owner's pages, with placeholders (web/index.html). */
    shell: await text('index.html'),
    /** The paths of the files that the service worker keeps. */
    storedFiles: (isUsed: (name: string) => boolean) => findFiles(manifest, isUsed),
    /** The paths of the scripts in one file each (scripts/build.mjs). */
    scripts: {
      signin: scriptPath('signin'),
      verify: scriptPath('verify'),
      pay: scriptPath('pay'),
      table: scriptPath('table'),
    },
    /** The script that is inlined in the public card, and the same with the receipt. */
    cardScript: await text('card.js'),
    receiptCardScript: await text('card-receipt.js'),
    /** The script that is inlined before it in a card with a photo. */
    photoScript: await text('photo.js'),
    loginScript: await text('login.js'),
    /** The service worker without its list of files; '' in development. */
    workerScript: await text('worker.js'),
    /** The files under /assets/ by name. A name contains a hash of the content. */
    assets: new Map(assets),
  };
}

export function bytesOf(dataUrl: string): Buffer {
  return Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');
}
