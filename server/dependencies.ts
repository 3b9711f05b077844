import { join } from 'node:path';

import { systemClock } from './clock.ts';
import { migrateDatabase, openDatabase } from './adapter/database/connect.ts';
import { makeFolder, tryWriteFile } from './adapter/database/data-folder.ts';
import { createHttpClient } from './adapter/http-client.ts';
import { readBrandLogo, createDecoder } from './adapter/image/decoder.ts';
import { createRenderer } from './adapter/image/renderer.ts';
import { openLog } from './http/log/log.ts';
import { makeDataFolderPrivate } from './adapter/data/private-files.ts';
import { defaultCountry } from './adapter/otp/phone.ts';
import { openProvider } from './adapter/otp/providers.ts';
import { createTransport } from './adapter/outside/transport.ts';
import { createPhoneReader } from './adapter/profile/phone.ts';
import { noteSecret, readSecret } from './adapter/data/secret.ts';
import type { Settings } from './settings/settings.ts';
import { openDelivery } from './adapter/sms/delivery.ts';
import { diskError, reasonOf } from './start-error.ts';
import { openPhotoBucket } from './adapter/storage/bucket.ts';
import { openPhotoFolder } from './adapter/storage/photo-store.ts';
import type { WebFiles } from './adapter/html/web-files.ts';

export async function createDependencies(
  settings: Settings,
  { web, decodeWorker }: { readonly web: WebFiles; readonly decodeWorker: string },
) {
  await prepareDataFolder(settings.dataDir);
  await makeDataFolderPrivate(settings.dataDir);
  if (settings.photoBucket === null) await makeFolder(join(settings.dataDir, 'photos'));
  const { log, writeRequestLine } = openLog(settings.logLevel, settings.nodeName);
  const clock = systemClock;
  const httpClient = createHttpClient();
  const database = await openDatabase(settings, log);
  await migrateDatabase(database, settings, log);
  const secret = await readSecret(settings, database);
  await noteSecret(database, secret, log);
  const { databaseUrl, brandLogo } = settings;
  const decoder = createDecoder(decodeWorker);
  const invalidations =
    databaseUrl === null
      ? undefined
      : (await import('./adapter/invalidation.ts')).createInvalidationListener(databaseUrl, log);
  return {
    database,
    clock,
    log,
    /** This is null if LOG_LEVEL excludes the lines of requests. */
    writeRequestLine,
    invalidations,
    /** Signs one-time codes, device cookies and the address keys of the log. The VAPID key is derived from it. */
    secret,
    sendCode: openDelivery(settings, { httpClient, clock, log }),
    provider: openProvider(settings, httpClient),
    photos: openPhotoStore(settings),
    readPhone: createPhoneReader(defaultCountry(settings.otpCountries)),
    pushTransport: createTransport({ testOrigin: settings.pushTestOrigin }),
    webhookTransport: createTransport({
      testOrigin: settings.webhookTestOrigin,
      hasAnyPort: true,
    }),
    decoder,
    brandLogo: brandLogo === null ? undefined : await readBrandLogo(brandLogo, decoder),
    renderer: createRenderer(),
    web,
  };
}

export function openPhotoStore({
  photoBucket,
  dataDir,
}: Pick<Settings, 'photoBucket' | 'dataDir'>) {
  return photoBucket ? openPhotoBucket(photoBucket) : openPhotoFolder(join(dataDir, 'photos'));
}

async function prepareDataFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await tryWriteFile(folder).catch((error: unknown) => {
      // With a full disk, the service still serves cards.
      if (reasonOf(error) !== 'ENOSPC') throw error;
    });
  } catch (error) {
    throw diskError(folder, error);
  }
}
