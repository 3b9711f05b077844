// Builds the owner's application, the scripts of the card and the login page, and the server into
// dist/. The old dist/ stays until the new one is complete.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';

import { build } from 'vite';

import { buildDecodeWorker } from './decode-worker.mjs';
import { BUILD_STAMP, ROOT, hashSources, replaceFolder } from './ready.mjs';
import { readCommitTime, readVersion } from './version.mjs';

const DIST = '.cache/dist';
const sources = hashSources();

/** This part of react-dom/server renders to a string. The product does not use the other part. */
const STATIC_RENDERER = join(
  ROOT,
  'node_modules/react-dom/cjs/react-dom-server-legacy.node.production.js',
);

const shared = { configFile: false, publicDir: false, logLevel: 'warn' };

const ES = { format: 'es', target: 'es2022' };
/** Configures a script in a single file without global names. A module may also import chunks on demand. */
const script = (entry, name, { format = 'iife', target = 'es2020', define = {} } = {}) => ({
  ...shared,
  define,
  build: {
    outDir: `${DIST}/web`,
    emptyOutDir: false,
    copyPublicDir: false,
    target,
    modulePreload: false,
    rolldownOptions: {
      input: entry,
      // What a script imports for one of its constants adds nothing else to it.
      treeshake: { moduleSideEffects: false },
      output: { format, entryFileNames: name, chunkFileNames: 'assets/[name]-[hash].js' },
    },
  },
});

/** These packages are not bundled, because they have a binary or are loaded on demand or never. */
const EXTERNAL_PACKAGES = [
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  '@photostructure/sqlite',
  'light-my-request',
  'pg',
  'sharp',
];

/** A few bundled files instead of hundreds let the server and its commands start in a third of the time. */
const server = {
  ...shared,
  define: {
    'process.env.NODE_ENV': '"production"',
    BUILD_VERSION: JSON.stringify(readVersion(ROOT)),
    BUILD_COMMIT_TIME: JSON.stringify(readCommitTime(ROOT)),
    BUILD_SOURCES: JSON.stringify(sources),
    // http_ece would print keys if the environment asks for it.
    'process.env.ECE_KEYLOG': '""',
  },
  ssr: { noExternal: true, external: EXTERNAL_PACKAGES },
  resolve: { alias: { 'react-dom/server': STATIC_RENDERER } },
  build: {
    ssr: true,
    outDir: `${DIST}/server`,
    emptyOutDir: false,
    target: 'node20',
    minify: false,
    cssMinify: true,
    sourcemap: true,
    rolldownOptions: {
      input: {
        main: 'server/main.ts',
        command: 'server/command/backup/command.ts',
        admin: 'server/command/admin/command.ts',
        demo: 'server/command/demo/command.ts',
      },
      output: {
        format: 'esm',
        entryFileNames: '[name].js',
        chunkFileNames: 'shared-[name].js',
        // DIST is one folder deeper than dist/.
        sourcemapPathTransform: (path) => path.replace('../', ''),
      },
    },
  },
};

/** Writes `<name>.br` and `.gz` beside each text file, because the best quality takes seconds. */
async function compressAssets(folder) {
  const names = readdirSync(folder).filter((name) => /\.(?:js|css|svg)$/.test(name));
  await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const content = readFileSync(path);
      writeFileSync(`${path}.br`, await promisify(brotliCompress)(content));
      writeFileSync(`${path}.gz`, await promisify(gzip)(content, { level: 9 }));
    }),
  );
}

rmSync(join(ROOT, DIST), { recursive: true, force: true });
await build({
  configFile: 'vite.config.ts',
  logLevel: 'warn',
  build: { outDir: join(ROOT, DIST, 'web') },
});
await build(script('web/feature/card/pay.ts', 'assets/script-pay-[hash].js'));
await build(script('web/feature/table/main.ts', 'assets/script-table-[hash].js', ES));
await build(script('web/feature/signin/main.ts', 'assets/script-signin-[hash].js', ES));
await build(script('web/feature/account/verify.ts', 'assets/script-verify-[hash].js', ES));
await compressAssets(join(ROOT, DIST, 'web/assets'));
for (const [name, HAS_RECEIPT] of Object.entries({ 'card.js': 'false', 'card-receipt.js': 'true' }))
  await build(script('web/feature/card/main.ts', name, { define: { HAS_RECEIPT } }));
await build(script('web/feature/card/photo.ts', 'photo.js'));
await build(script('web/shared/embedded/main.ts', 'login.js', { target: ES.target }));
await build(script('web/shared/worker/main.ts', 'worker.js'));
await build(server);
await buildDecodeWorker(`${DIST}/server`);
writeFileSync(join(ROOT, DIST, BUILD_STAMP), sources);
replaceFolder('dist', join(ROOT, DIST));
