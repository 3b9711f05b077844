import { access, constants, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { systemClock } from './clock.ts';
import { connect } from './db/connect.ts';
import type { WebFiles } from './http/web.ts';
import { openLog } from './log.ts';
import { embeddedProvider } from './otp/embedded/provider.ts';
import type { Parts } from './parts.ts';
import { openDecoder } from './photo/decoder.ts';
import { openPhotoFolder } from './photo/photo-folder.ts';
import { readSecret } from './secret.ts';
import type { Settings } from './settings.ts';
import { consoleGateway } from './sms/console.ts';
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
  const database = await connect(settings, log);
  return {
    database,
    clock,
    log,
    secret: await readSecret(settings.secret, settings.dataDir),
    sendText: consoleGateway,
    provider: embeddedProvider(settings, { database, clock }),
    photos: openPhotoFolder(join(settings.dataDir, 'photos')),
    decoder: openDecoder(built.photoWorker),
    web: built.web,
  };
}

async function openFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
    await access(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    throw new StartError(`DATA_DIR: the folder ${folder} cannot be written (${why}).`);
  }
}
