import { createServer } from 'node:http';
import type { Server } from 'node:http';

import type { Meter } from './meter.ts';

/** Serves /metrics on a separate port, so that only the operator's network can open it. */
export async function listenForMetrics(
  meter: Meter,
  address: { host: string; port: number },
): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404).end();
      return;
    }
    meter.render().then(
      (text) => response.writeHead(200, { 'content-type': meter.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(address.port, address.host, () => resolve());
  });
  return server.unref();
}
