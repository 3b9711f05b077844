import { access, constants, mkdir } from 'node:fs/promises';

import { systemClock } from './clock.ts';
import { connect } from './db/connect.ts';
import type { WebFiles } from './http/web.ts';
import { openLog } from './log.ts';
import { embeddedProvider } from './otp/embedded/provider.ts';
import type { Parts } from './parts.ts';
import { readSecret } from './secret.ts';
import type { Settings } from './settings.ts';
import { consoleGateway } from './sms/console.ts';
import { StartError } from './start-error.ts';

/** Makes the real parts that the settings ask for. Throws StartError where one cannot be had. */
export async function openParts(settings: Settings, web: WebFiles): Promise<Parts> {
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
    web,
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
