import type { Server } from 'node:http';
import { isIPv6 } from 'node:net';
import { join } from 'node:path';

import { buildApp } from '#server/app.ts';
import { createClockGuard } from '#server/adapter/database/clock-guard.ts';
import { runHourly, scheduleRowCleanup } from '#server/adapter/database/cleanup.ts';
import { reportDamage } from '#server/adapter/database/statistics.ts';
import { readWebFiles } from '#server/adapter/html/web-files.ts';
import { listenForMetrics } from '#server/feature/metric/routes.ts';
import type { Dependencies } from '#server/context.ts';
import { createDependencies } from '#server/dependencies.ts';
import { schedulePhotoCleanup } from '#server/feature/photo/cleanup.ts';
import { openPageStore } from '#server/adapter/storage/page-folder.ts';
import { setPrivateUmask } from '#server/adapter/data/private-files.ts';
import { readSettings } from '#server/settings/settings.ts';
import type { Settings } from '#server/settings/settings.ts';
import { settingWarnings } from '#server/settings/conflicts.ts';
import { StartError, diskError, reasonOf } from '#server/start-error.ts';
import { removePhoneless } from '#server/adapter/remove-user.ts';
import { queueEventStatement } from '#server/adapter/webhook/event.ts';
import { logUncaughtErrors, stopOnSignals } from './stop.ts';
import { VERSION } from '#server/version.ts';

async function start(): Promise<void> {
  if (process.argv.includes('--version')) {
    process.stdout.write(`${VERSION}\n`);
    return;
  }
  // The service continues if its output has no reader or is on a full disk.
  process.stdout.on('error', () => undefined);
  setPrivateUmask();
  const settings = readSettings(process.env);
  const dependencies = await createDependencies(settings, {
    web: await readWebFiles(join(import.meta.dirname, '..', 'web')),
    decodeWorker: join(import.meta.dirname, 'decode-worker.js'),
  });
  logUncaughtErrors(dependencies.log);
  const pages = await openPageStore(settings, dependencies);
  const app = buildApp(settings, { ...dependencies, pages });
  await listen(app, settings);
  await openMetricsPort(app, settings);

  app.notificationQueue.start();
  if (settings.views.has('contacts')) app.webhookQueue.start();
  const stopPhotoCleanup = schedulePhotoCleanup(dependencies);
  const stopRowCleanup = scheduleRowCleanup(dependencies, {
    contactKeepDays: settings.contactKeepDays,
    beforeContacts: (contacts, now) => queueEventStatement('contact.deleted', { contacts, now }),
  });
  const { dormantDeleteDays } = settings;
  const isPlausible = createClockGuard(dependencies);
  const stopRemovals = runHourly(dependencies.log, [
    {
      failure: 'accounts without a login phone were not removed',
      run: async () =>
        dormantDeleteDays !== null &&
        (await isPlausible()) &&
        removePhoneless({ dependencies, responses: app.responses }, dormantDeleteDays),
    },
  ]);
  const stopping = new AbortController();
  if (settings.databaseUrl === null)
    void reportDamage({ dataDir: settings.dataDir, signal: stopping.signal }, dependencies);
  stopOnSignals({
    app,
    log: dependencies.log,
    drainSeconds: settings.drainSeconds,
    release: async () => {
      stopping.abort();
      stopRowCleanup();
      stopPhotoCleanup();
      stopRemovals();
      dependencies.decoder.close();
      await dependencies.invalidations?.close();
      dependencies.renderer.close();
      await app.responses.close();
      await dependencies.database.close();
    },
  });
  void checkPictures(dependencies);
  dependencies.log.info({ version: VERSION, nodeVersion: process.version }, 'started');
  if (settings.nodeEnv === 'production')
    for (const warning of settingWarnings(settings)) dependencies.log.warn(warning);
  // Printed last: a script that waits for this line may stop the service immediately.
  printStarted(settings, portOf(app.server, settings.port));
}

async function checkPictures({ decoder, log }: Pick<Dependencies, 'decoder' | 'log'>) {
  const why = await decoder.check();
  if (why !== null) log.error({ why }, 'no picture can be decoded');
}

/** Matches the codes of a disk that is full, read-only or not permitted. */
const DISK_ERROR = /^(?:EROFS|ENOSPC|EDQUOT|EACCES|EPERM|EIO)$/;

async function listen(app: ReturnType<typeof buildApp>, settings: Settings): Promise<void> {
  const { host, port, dataDir } = settings;
  // What is prepared before the port opens must not be blamed on the port.
  try {
    await app.ready();
  } catch (error) {
    throw DISK_ERROR.test(reasonOf(error)) ? diskError(dataDir, error) : error;
  }
  await app.listen({ host, port }).catch((error: unknown) => {
    const code = reasonOf(error);
    throw new StartError(
      code === 'EADDRINUSE'
        ? `Port ${port} is in use. Stop the program that uses it, or set PORT to another one.`
        : `Cannot listen on ${inUrl(host)}:${port} (${code}). See HOST and PORT.`,
    );
  });
}

async function openMetricsPort({ meter }: ReturnType<typeof buildApp>, settings: Settings) {
  const { host, metricsPort: port } = settings;
  if (!meter || port === null) return;
  const server = await listenForMetrics(meter, { host, port }).catch((error: unknown) => {
    throw new StartError(
      `METRICS_PORT: cannot listen on ${inUrl(host)}:${port} (${reasonOf(error)}). Set it to a port that no program uses.`,
    );
  });
  process.stdout.write(`Metrics: http://localhost:${portOf(server, port)}/metrics\n`);
}

/** In a URL, an IPv6 address is in brackets (RFC 3986, section 3.2.2). */
function inUrl(host: string): string {
  return isIPv6(host) ? `[${host}]` : host;
}

function portOf(server: Server, fallback: number): number {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : fallback;
}

function printStarted(settings: Settings, port: number) {
  const host = ['0.0.0.0', '::'].includes(settings.host) ? 'localhost' : inUrl(settings.host);
  const data = settings.databaseUrl ? 'PostgreSQL (DATABASE_URL)' : settings.dataDir;
  process.stdout.write(
    `${settings.productName} listens on http://${host}:${port}\nData: ${data}\n`,
  );
}

try {
  await start();
} catch (error) {
  const message =
    error instanceof StartError ? error.message : `The start failed. ${String(error)}`;
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
