// npm run dev runs the service on its usual port. A change in the browser's code reloads the page. A change in
// the server's code applies from the next request on, with the same open database. The entrance before the
// router does not run.
import { readFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';

import { ROOT, install, stopWithParent } from './ready.mjs';

stopWithParent();
install();
const { createServer, build } = await import('vite');
const { buildDecodeWorker } = await import('./decode-worker.mjs');

const vite = await createServer({
  configFile: join(ROOT, 'vite.config.ts'),
  appType: 'custom',
  // These paths are relative to the root, unlike the build's input.
  optimizeDeps: {
    entries: [
      'main.tsx',
      'feature/signin/main.ts',
      'feature/table/main.ts',
      'feature/account/verify.ts',
    ],
  },
  server: { middlewareMode: true, hmr: { port: 24_678 } },
});
const load = (path) => vite.ssrLoadModule(join(ROOT, path));

/** Builds one of the page scripts as for production. */
async function bundle(entry, define = {}) {
  const input = join(ROOT, 'web', entry);
  const results = await build({
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define,
    build: { write: false, rolldownOptions: { input, output: { format: 'iife' } } },
  });
  return [results].flat()[0].output[0].code;
}

async function webFiles() {
  const shell = await readFile(join(ROOT, 'web/index.html'), 'utf8');
  const contentType = 'text/javascript; charset=utf-8';
  return {
    shell: await vite.transformIndexHtml('/index.html', shell),
    storedFiles: () => [],
    scripts: {
      signin: '/feature/signin/main.ts',
      table: '/feature/table/main.ts',
      verify: '/feature/account/verify.ts',
      pay: '/assets/pay.js',
    },
    photoScript: await bundle('feature/card/photo.ts'),
    cardScript: await bundle('feature/card/main.ts', { HAS_RECEIPT: 'false' }),
    receiptCardScript: await bundle('feature/card/main.ts', { HAS_RECEIPT: 'true' }),
    loginScript: await bundle('shared/embedded/main.ts'),
    // A worker that does nothing replaces the one of a build on the same origin.
    workerScript: '',
    assets: new Map([['pay.js', { contentType, content: await bundle('feature/card/pay.ts') }]]),
  };
}

const { readSettings } = await load('server/settings/settings.ts');
const { createDependencies } = await load('server/dependencies.ts');
const settings = readSettings(process.env);
const dependencies = await createDependencies(settings, {
  web: await webFiles(),
  decodeWorker: await buildDecodeWorker('.cache/decode-worker'),
});

let app = null;
let lastBuild = Promise.resolve();
/** The build of the current source, or null after a change. */
let currentBuild = null;
vite.watcher.on('change', () => (currentBuild = null));

async function rebuild() {
  await app?.close();
  const { buildApp } = await load('server/app.ts');
  app = buildApp(settings, { ...dependencies, web: await webFiles() });
  await app.ready();
}

/** Returns the request handler of the app's current source. */
async function currentHandler() {
  currentBuild ??= lastBuild = lastBuild.catch(() => undefined).then(rebuild);
  await currentBuild;
  // Fastify instances are thenable, and await would unwrap them, so this returns a function instead of the app.
  return (request, response) => app.routing(request, response);
}

const POLICY = 'content-security-policy';

/** Vite injects scripts and styles, which the Content-Security-Policy of the pages would block. */
function removePolicy(response) {
  const writeHead = response.writeHead.bind(response);
  response.writeHead = (status, headers) => {
    // The headers are an object or a list in which names and values alternate.
    if (!Array.isArray(headers)) return writeHead(status, { ...headers, [POLICY]: [] });
    return writeHead(
      status,
      headers.filter((_, index) => headers[index - (index % 2)] !== POLICY),
    );
  };
}

const server = createHttpServer((request, response) => {
  removePolicy(response);
  vite.middlewares(request, response, async () => {
    try {
      (await currentHandler())(request, response);
    } catch (error) {
      vite.ssrFixStacktrace(error);
      response.writeHead(500, { 'content-type': 'text/plain' }).end(error.stack);
    }
  });
});
server.listen(settings.port, settings.host, () => {
  process.stdout.write(
    `${settings.productName} (development) on http://localhost:${settings.port}\n`,
  );
});
