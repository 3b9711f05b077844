import { setTimeout as delay } from 'node:timers/promises';

import type { Dependencies } from '#server/context.ts';
import { checkUserTable } from '#server/adapter/profile/store.ts';

const DATABASE_TIMEOUT_MS = 1900;
/** A node without its photo store is ready: a slow store must not delay that response. */
const PHOTOS_TIMEOUT_MS = 700;

/** Returns the names of what is unavailable. Concurrent calls share one check. */
export function createReadinessCheck({
  database,
  photos,
  log,
}: Pick<Dependencies, 'database' | 'photos' | 'log'>) {
  let pending: Promise<string[]> | null = null;
  let lastUnavailable = '';

  async function check(): Promise<string[]> {
    const [databaseError, photosError] = await Promise.all([
      failureReason(() => checkDatabase(database), DATABASE_TIMEOUT_MS),
      failureReason(() => photos.check(), PHOTOS_TIMEOUT_MS),
    ]);
    const reasons = {
      ...(databaseError === null ? {} : { database: databaseError }),
      ...(photosError === null ? {} : { photos: photosError }),
    };
    const unavailable = Object.keys(reasons);
    if (unavailable.join() !== lastUnavailable) {
      log.warn({ unavailable, why: reasons }, 'the availability of dependencies has changed');
    }
    lastUnavailable = unavailable.join();
    return unavailable;
  }

  return () =>
    (pending ??= check().finally(() => {
      pending = null;
    }));
}

async function checkDatabase(database: Dependencies['database']): Promise<void> {
  await database.checkFile?.();
  await checkUserTable(database);
}

async function failureReason(
  call: () => Promise<unknown>,
  timeoutMs: number,
): Promise<string | null> {
  try {
    return await Promise.race([
      call().then(() => null),
      delay(timeoutMs, 'No response in time.', { ref: false }),
    ]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
