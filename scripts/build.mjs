// Builds everything into dist/: the owner's application, two small scripts, the server.
import { build } from 'vite';

import { buildDecodeWorker } from './decode-worker.mjs';

const shared = { configFile: false, publicDir: false, logLevel: 'warn' };

/** A script that stands alone in one file, with no name left behind. */
const script = (entry, name) => ({
  ...shared,
  build: {
    outDir: 'dist/web',
    emptyOutDir: false,
    copyPublicDir: false,
    target: 'es2020',
    modulePreload: false,
    rolldownOptions: { input: entry, output: { format: 'iife', entryFileNames: name } },
  },
});

const server = {
  ...shared,
  define: { 'process.env.NODE_ENV': '"production"' },
  // One file instead of hundreds starts in a third of the time. What has a binary, a thread of its
  // own, or is loaded only where it is asked for, stays a package.
  ssr: { noExternal: true, external: ['@photostructure/sqlite', 'pg', 'pino', 'sharp'] },
  build: {
    ssr: true,
    outDir: 'dist/server',
    emptyOutDir: true,
    target: 'node20',
    minify: false,
    cssMinify: true,
    sourcemap: true,
    rolldownOptions: {
      input: { main: 'server/main.ts', command: 'server/backup/command.ts' },
      output: { format: 'esm', entryFileNames: '[name].js', chunkFileNames: 'shared-[name].js' },
    },
  },
};

export async function buildAll() {
  await build({ configFile: 'vite.config.ts', logLevel: 'warn' });
  await build(script('web/card/main.ts', 'card.js'));
  await build(script('web/login/main.ts', 'login.js'));
  await build(server);
  await buildDecodeWorker('dist/server');
}

await buildAll();
