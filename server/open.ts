import { access, constants } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock } from './clock.ts';
import { connect } from './db/connect.ts';
import { askWithin } from './http/ask.ts';
import type { WebFiles } from './http/web.ts';
import { openLog } from './log.ts';
import { makeFolder } from './make-folder.ts';
import { openProvider } from './otp/choose.ts';
import type { Parts } from './parts.ts';
import { openDecoder } from './photo/decoder.ts';
import { openPhotoBucket } from './photo/photo-bucket.ts';
import { openPhotoFolder } from './photo/photo-folder.ts';
import { readSecret } from './secret.ts';
import type { Settings } from './settings.ts';
import { GATEWAYS } from './sms/choose.ts';
import type { Gateway } from './sms/gateway.ts';
import { StartError } from './start-error.ts';

/** What the build made. */
interface Built {
  readonly web: WebFiles;
  /** The path of the picture decoder, a program of its own. */
  readonly photoWorker: string;
}

/** Makes the real parts that the settings ask for. Throws StartError where one cannot be had. */
export async function openParts(settings: Settings, built: Built): Promise<Parts> {
  await openFolder(settings.dataDir);
  const log = openLog(settings.logLevel);
  const clock = systemClock;
  const ask = askWithin();
  const gateway: Gateway = GATEWAYS[settings.smsGateway];
  const database = await connect(settings, log);
  const news =
    settings.databaseUrl === ''
      ? undefined
      : (await import('./news/listen.ts')).openNews(settings.databaseUrl, log);
  return {
    database,
    clock,
    log,
    news,
    secret: await readSecret(settings, database),
    sendText: gateway.open(settings.gateway, { ask, clock }),
    provider: openProvider(settings, { ask, clock, database }),
    photos: openPhotos(settings),
    decoder: openDecoder(built.photoWorker),
    web: built.web,
  };
}

/** Where the settings say that photos are kept. */
export function openPhotos({ photoBucket, dataDir }: Pick<Settings, 'photoBucket' | 'dataDir'>) {
  return photoBucket ? openPhotoBucket(photoBucket) : openPhotoFolder(join(dataDir, 'photos'));
}

async function openFolder(folder: string): Promise<void> {
  try {
    await makeFolder(folder);
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new StartError(`DATA_DIR: the folder ${folder} cannot be written (${why}).`);
  }
}
