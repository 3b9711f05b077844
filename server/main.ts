import { join } from 'node:path';

import { buildApp } from './app.ts';
import { keepSweepingOld } from './db/sweep.ts';
import { readWebFiles } from './http/web.ts';
import { listenForMetrics } from './metric/listen.ts';
import { openParts } from './open.ts';
import { keepSweeping } from './photo/sweep.ts';
import { readSettings } from './settings.ts';
import type { Settings } from './settings.ts';
import { StartError } from './start-error.ts';
import { stopOnSignals } from './stop.ts';
import { keepTickShape } from './tick-shape.ts';

const PHOTO_WORKER = join(import.meta.dirname, 'photo-worker.js');
const WEB_FOLDER = join(import.meta.dirname, '..', 'web');

async function start(): Promise<void> {
  // Whoever started it may be gone, or the disk that it writes to full: no reason to end.
  process.stdout.on('error', () => undefined);
  await keepTickShape();
  const settings = readSettings(process.env);
  const parts = await openParts(settings, {
    web: await readWebFiles(WEB_FOLDER),
    photoWorker: PHOTO_WORKER,
  });
  const app = buildApp(settings, parts);
  await listen(app, settings);
  await listenForOperator(app, settings);

  const stopSweeping = keepSweeping(parts);
  const stopSweepingOld = keepSweepingOld(parts);
  stopOnSignals({
    log: parts.log,
    drainSeconds: settings.drainSeconds,
    drain: () => app.drain(),
    close: () => app.close(),
    closeIdle: () => app.server.closeIdleConnections(),
    cut: () => app.server.closeAllConnections(),
    release: async () => {
      stopSweepingOld();
      stopSweeping();
      parts.decoder.close();
      await parts.news?.close();
      await parts.database.close();
    },
  });
  // Last: whoever reads it may stop the service the next moment.
  say(settings, app.server.address());
}

async function listen(app: ReturnType<typeof buildApp>, { host, port }: Settings): Promise<void> {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `Port ${port} is in use. Stop what uses it, or set PORT to another one.`,
      );
    }
    throw new StartError(`Cannot listen on ${host}:${port} (${code}). See HOST and PORT.`);
  }
}

async function listenForOperator({ meter }: ReturnType<typeof buildApp>, settings: Settings) {
  const { host, metricsPort: port } = settings;
  if (!meter || port < 0) return;
  const server = await listenForMetrics(meter, { host, port }).catch((error: unknown) => {
    throw new StartError(`METRICS_PORT: cannot listen on ${host}:${port} (${String(error)}).`);
  });
  const address = server.address();
  const taken = typeof address === 'object' && address ? address.port : port;
  process.stdout.write(`Metrics: http://localhost:${taken}/metrics\n`);
}

function say(
  settings: Settings,
  address: ReturnType<ReturnType<typeof buildApp>['server']['address']>,
) {
  const port = typeof address === 'object' && address ? address.port : settings.port;
  const host = ['0.0.0.0', '::'].includes(settings.host) ? 'localhost' : settings.host;
  const data = settings.databaseUrl ? 'PostgreSQL (DATABASE_URL)' : settings.dataDir;
  process.stdout.write(
    `${settings.productName} listens on http://${host}:${port}\nData: ${data}\n`,
  );
}

start().catch((error: unknown) => {
  const message =
    error instanceof StartError ? error.message : `The start failed. ${String(error)}`;
  process.stderr.write(`${message}\n`);
  process.exit(1);
});
