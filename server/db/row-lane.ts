import { Lane } from '#server/lane.ts';

import { Unavailable } from './database.ts';

const WAITING_MAX = 1000;

/**
 * Returns a lane for writes that change the same row: they wait for it anyway, and here they occupy
 * no connection meanwhile. If the database is unavailable, those that wait fail immediately.
 */
export function createRowLane(): Lane {
  return new Lane({
    runningMax: 1,
    waitingMax: WAITING_MAX,
    createError: () => new Unavailable(new Error('Too many writes wait for one row.')),
    failsAll: (error) => error instanceof Unavailable,
  });
}
