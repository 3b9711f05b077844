import { setTimeout as pause } from 'node:timers/promises';

import type { Parts } from '#server/parts.ts';

/** A store that takes longer than this for nothing is away. */
const PATIENCE_MS = 1900;

/**
 * Looks whether what the service needs answers; gives back what does not, by name. Askers that come
 * while a look is under way get its answer: a flood of questions is one question to the stores.
 */
export function readiness({ database, photos, log }: Pick<Parts, 'database' | 'photos' | 'log'>) {
  let underWay: Promise<string[]> | null = null;
  let known = '';

  async function look(): Promise<string[]> {
    const found = await Promise.all([
      isThere(() => database.one('SELECT 1 AS one')),
      isThere(() => photos.check()),
    ]);
    const away = ['database', 'photos'].filter((_, at) => !found[at]);
    if (away.join() !== known) log.warn({ away }, 'what the service needs has come or gone');
    known = away.join();
    return away;
  }

  return () =>
    (underWay ??= look().finally(() => {
      underWay = null;
    }));
}

async function isThere(ask: () => Promise<unknown>): Promise<boolean> {
  const enough = new AbortController();
  try {
    return await Promise.race([
      ask().then(() => true),
      pause(PATIENCE_MS, false, { signal: enough.signal }),
    ]);
  } catch {
    return false;
  } finally {
    enough.abort();
  }
}
