import { join } from 'node:path';

import { buildApp } from '#server/app.ts';
import { systemClock } from '#server/clock.ts';
import { createDependencies } from '#server/dependencies.ts';
import { embeddedProvider } from '#server/adapter/otp/embedded/provider.ts';
import { readSettings } from '#server/settings/settings.ts';
import { readWebFiles } from '#server/adapter/html/web-files.ts';

import { DEMO_OWNERS } from './people.ts';
import { DEMO_CODE, seedDemo } from './seed.ts';

export { DEMO_CODE };
/** E.164; the first one has contacts and visits. */
export const DEMO_PHONES = DEMO_OWNERS.map(({ phone }) => phone);

export async function fillDemo(): Promise<string> {
  const settings = readSettings(process.env);
  const dependencies = await createDependencies(settings, {
    web: await readWebFiles(join(import.meta.dirname, '..', 'web')),
    decodeWorker: join(import.meta.dirname, 'decode-worker.js'),
  });
  const now = systemClock.now();
  const clock = { time: now, now: () => clock.time };
  const { database } = dependencies;
  const { otpAppId: appId, otpCountries: countries } = settings;
  const provider = embeddedProvider({ appId, countries }, { database, clock });
  const app = buildApp(settings, { ...dependencies, clock, provider });
  try {
    return await seedDemo({ app, clock }, now);
  } finally {
    clock.time = now;
    await app.close();
    dependencies.decoder.close();
    dependencies.renderer.close();
    await database.close();
  }
}
