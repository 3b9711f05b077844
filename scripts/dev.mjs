// npm run dev: the same service on the same port, with the browser's code reloaded as it changes
// and the server's taken up by the next request.
import { createServer as createHttpServer } from 'node:http';
import { join } from 'node:path';

import { ROOT, checkNode, install } from './ready.mjs';

checkNode();
install();
const { createServer } = await import('vite');

const vite = await createServer({
  root: join(ROOT, 'web'),
  configFile: join(ROOT, 'vite.config.ts'),
  appType: 'custom',
  server: { middlewareMode: true, hmr: { port: 0 } },
});
const load = () => vite.ssrLoadModule('/../server/develop.ts');
const { open } = await load();
const parts = await open(process.env);
const { settings } = parts;

const server = createHttpServer((request, response) => {
  vite.middlewares(request, response, async () => {
    const { answer } = await load();
    await answer(parts, vite, request, response);
  });
});
server.listen(settings.port, settings.host, () => {
  process.stdout.write(`Tessera (development) on http://localhost:${settings.port}\n`);
});
