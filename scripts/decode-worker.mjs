// The picture decoder runs in its own process, in development and in tests too.
import { join } from 'node:path';

import { build } from 'vite';

import { ROOT } from './ready.mjs';

/** Builds the worker inside the project, so that it finds its packages; returns its path. */
export async function buildDecodeWorker(outDir) {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    root: ROOT,
    build: {
      ssr: true,
      outDir,
      emptyOutDir: false,
      target: 'node20',
      minify: false,
      rolldownOptions: {
        input: { 'decode-worker': join(ROOT, 'server/image/decode-worker.ts') },
        output: { format: 'esm', entryFileNames: '[name].js' },
      },
    },
  });
  return join(ROOT, outDir, 'decode-worker.js');
}
