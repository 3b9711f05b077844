import { setTimeout as pause } from 'node:timers/promises';

import type { Dependencies } from '#server/context.ts';

/** A store that takes longer than this for nothing is away. */
const PATIENCE_MS = 1900;

/**
 * Looks whether what the service needs answers; gives back what does not, by name. Askers that come
 * while a look is under way get its answer: a flood of questions is one question to the stores.
 */
export function readiness({
  database,
  photos,
  log,
}: Pick<Dependencies, 'database' | 'photos' | 'log'>) {
  let underWay: Promise<string[]> | null = null;
  let known = '';

  async function look(): Promise<string[]> {
    const [databaseAway, photosAway] = await Promise.all([
      whyAway(() => database.one('SELECT 1 AS one')),
      whyAway(() => photos.check()),
    ]);
    const why = {
      ...(databaseAway === null ? {} : { database: databaseAway }),
      ...(photosAway === null ? {} : { photos: photosAway }),
    };
    const away = Object.keys(why);
    if (away.join() !== known) log.warn({ away, why }, 'what the service needs has come or gone');
    known = away.join();
    return away;
  }

  return () =>
    (underWay ??= look().finally(() => {
      underWay = null;
    }));
}

/** Null where it answers; else a sentence for the log. */
async function whyAway(ask: () => Promise<unknown>): Promise<string | null> {
  const enough = new AbortController();
  try {
    return await Promise.race([
      ask().then(() => null),
      pause(PATIENCE_MS, 'No answer in time.', { signal: enough.signal }),
    ]);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    enough.abort();
  }
}
