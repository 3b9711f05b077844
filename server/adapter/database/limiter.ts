import { Limiter } from '#server/http/limit/limiter.ts';

import { Busy, Unavailable } from './database.ts';

const WAITING_MAX = 1000;

/**
 * The tasks of a key run one after the other, and so occupy one connection: writes of the same row
 * would wait for each other anyway. While the database is unavailable the waiting tasks fail.
 */
export function createDatabaseLimiter(): Limiter {
  return new Limiter({
    runningMax: 1,
    waitingMax: WAITING_MAX,
    createError: () => new Busy(),
    failsAll: (error) => error instanceof Unavailable && !(error instanceof Busy),
  });
}
