// The documents of the owner's pages: their static HTML, and the scripts that each one loads.
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { build } from 'vite';

const PRERENDER_FOLDER = '.cache/prerender';
/** Too large to be stored for everybody. */
const isStoredOnUse = (name) =>
  name === 'feature/analytics/chart.tsx' || name.startsWith('../domain/language/');

/** Writes documents.json into the folder of the built application. */
export async function buildDocuments(webFolder) {
  await build({
    configFile: 'vite.config.ts',
    // The build of the application warns of the same files.
    logLevel: 'error',
    build: {
      ssr: true,
      manifest: false,
      outDir: join('..', PRERENDER_FOLDER),
      rolldownOptions: { input: 'web/prerender.tsx', output: { entryFileNames: '[name].js' } },
    },
  });
  const path = join(import.meta.dirname, '..', PRERENDER_FOLDER, 'prerender.js');
  const { OWNER_DOCUMENTS, SAMPLE_STYLE, prerender } = await import(pathToFileURL(path).href);
  const manifest = JSON.parse(await readFile(join(webFolder, 'manifest.json'), 'utf8'));
  const pages = new Set(OWNER_DOCUMENTS.flatMap(({ modules }) => modules));
  const documents = OWNER_DOCUMENTS.map((source) => {
    const { paths, title, language, view, placeholderOf, needsLanguages, entries, modules } =
      source;
    const preloads = findPreloads(manifest, entries, modules);
    // The preloads of the first entry, if there are others.
    const early = entries.length > 1 ? findPreloads(manifest, entries.slice(0, 1)) : preloads;
    return {
      paths,
      title,
      language,
      view,
      placeholderOf,
      needsLanguages,
      ...withoutStyles(prerender(source)),
      scripts: entries.map((entry) => `/${manifest[entry].file}`),
      preloads: early.map((file) => `/${file}`),
      latePreloads: preloads.filter((file) => !early.includes(file)).map((file) => `/${file}`),
      files: findFiles({ manifest, pages }, [...entries, ...modules]).map((file) => `/${file}`),
    };
  });
  await writeFile(join(webFolder, 'documents.json'), JSON.stringify(documents));
  await rename(join(webFolder, manifest['style.css'].file), join(webFolder, 'style.css'));
  await appendFile(join(webFolder, 'style.css'), SAMPLE_STYLE);
}

/** Returns the files imported by `entries` and `modules`, without the entries. */
function findPreloads(manifest, entries, modules = []) {
  const seen = new Set();
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    manifest[name].imports?.forEach(visit);
  };
  [...entries, ...modules].forEach(visit);
  return [...seen].filter((name) => !entries.includes(name)).map((name) => manifest[name].file);
}

/** Returns the files that a page may load, at once or later, without those of other pages. */
function findFiles({ manifest, pages }, names) {
  const seen = new Set();
  const files = new Set();
  const visit = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    const { file, assets = [], imports = [], dynamicImports = [] } = manifest[name];
    for (const path of [file, ...assets]) files.add(path);
    imports.forEach(visit);
    dynamicImports
      .filter((imported) => !pages.has(imported) && !isStoredOnUse(imported))
      .forEach(visit);
  };
  names.forEach(visit);
  return [...files];
}

/**
 * Returns HTML without its style sheets, and their paths. They belong in the head: the application
 * replaces the HTML, but keeps using a style sheet that has loaded.
 */
export function withoutStyles(html) {
  const link = /<link rel="stylesheet" href="([^"]+)"[^>]*>/g;
  return {
    html: html.replace(link, ''),
    styles: Array.from(html.matchAll(link), ([, href]) => href),
  };
}
