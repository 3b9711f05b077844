import { Limiter } from '#server/http/limit/limiter.ts';

import { Busy, Unavailable } from './database.ts';

const WAITING_MAX = 1000;

/** One task a key, so one connection: writes of a row wait for each other anyway. */
export function createDatabaseLimiter(): Limiter {
  return new Limiter({
    runningMax: 1,
    waitingMax: WAITING_MAX,
    createError: () => new Busy(),
    failsAll: (error) => error instanceof Unavailable && !(error instanceof Busy),
  });
}
