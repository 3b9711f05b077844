import type { Logger } from 'pino';

import { DAY_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';

import type { Database } from './database.ts';
import { readSeedTime, saveSeed } from './statistics.ts';

/** The cleanup runs each hour, so the clock is wrong or the service has not run for longer than this. */
const JUMP_MS = DAY_MS;

interface Options {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  /** Returns a time that no correction of the clock changes. */
  readonly elapsedMs?: () => number;
}

/**
 * Returns a function that tells whether the clock can be believed, and saves the time if so. After a jump
 * forward it cannot, until this process has run for a day while no other node believed an earlier time.
 */
export function createClockGuard({
  database,
  clock,
  log,
  elapsedMs = () => performance.now(),
}: Options): () => Promise<boolean> {
  let doubt: { readonly last: number; readonly since: number } | null = null;
  return async () => {
    const now = clock.now();
    const last = await readLastTime(database);
    if (last !== null && now - last > JUMP_MS) {
      if (doubt?.last !== last) doubt = { last, since: elapsedMs() };
      if (elapsedMs() - doubt.since < DAY_MS) {
        const times = { now: new Date(now).toISOString(), last: new Date(last).toISOString() };
        // The readiness check reads this time, and the next run need not look at the sessions.
        await saveSeed(database, 'cleanup', String(last));
        log.warn(
          times,
          'the clock is more than a day ahead of the last cleanup, so nothing was deleted: see docs/operate/runbooks.md#the-clock-is-wrong',
        );
        return false;
      }
    }
    doubt = null;
    await saveSeed(database, 'cleanup', String(now));
    return true;
  };
}

/** Returns a sentence that says why the clock cannot be trusted, or null if it can. */
export async function findClockJump(database: Database, now: number): Promise<string | null> {
  const last = await readSeedTime(database, 'cleanup');
  if (last === null || now - last <= JUMP_MS) return null;
  return `The clock is more than a day ahead of the last cleanup (${new Date(last).toISOString()}).`;
}

/** Returns the time of the last cleanup, or before the first one when an owner was last active. */
async function readLastTime(database: Database): Promise<number | null> {
  const last = await readSeedTime(database, 'cleanup');
  if (last !== null) return last;
  const active = await database.one<{ time: number | null }>(
    'SELECT MAX(used_at) AS time FROM sessions WHERE used_at > created_at',
  );
  return active?.time ?? null;
}
