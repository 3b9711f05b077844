import { setTimeout as delay } from 'node:timers/promises';

import type { Dependencies } from '#server/context.ts';

/** A dependency that takes longer is unavailable. */
const TIMEOUT_MS = 1900;

/**
 * Returns a function that checks the database and the photo store and returns the names of those
 * that are unavailable. Concurrent calls share one check.
 */
export function createReadinessCheck({
  database,
  photos,
  log,
}: Pick<Dependencies, 'database' | 'photos' | 'log'>) {
  let pending: Promise<string[]> | null = null;
  let lastUnavailable = '';

  async function check(): Promise<string[]> {
    const [databaseError, photosError] = await Promise.all([
      errorOf(() => database.one('SELECT 1 AS one')),
      errorOf(() => photos.check()),
    ]);
    const why = {
      ...(databaseError === null ? {} : { database: databaseError }),
      ...(photosError === null ? {} : { photos: photosError }),
    };
    const unavailable = Object.keys(why);
    if (unavailable.join() !== lastUnavailable) {
      log.warn({ unavailable, why }, 'the availability of dependencies has changed');
    }
    lastUnavailable = unavailable.join();
    return unavailable;
  }

  return () =>
    (pending ??= check().finally(() => {
      pending = null;
    }));
}

/** Returns null where the call succeeds in time, else a sentence for the log. */
async function errorOf(call: () => Promise<unknown>): Promise<string | null> {
  const done = new AbortController();
  try {
    return await Promise.race([
      call().then(() => null),
      delay(TIMEOUT_MS, 'No answer in time.', { signal: done.signal }),
    ]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    done.abort();
  }
}
