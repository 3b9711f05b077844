// The server runs the picture decoder as a child process. Development and tests build it with this
// script, too.
import { join } from 'node:path';

import { build } from 'vite';

import { ROOT } from './ready.mjs';

/**
 * Builds the decoder into a folder of the project, because it imports packages from node_modules.
 * Returns the path of the built file.
 */
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
        input: { 'decode-worker': join(ROOT, 'server/adapter/image/decode-worker.ts') },
        output: { format: 'esm', entryFileNames: '[name].js' },
      },
    },
  });
  return join(ROOT, outDir, 'decode-worker.js');
}
