import { Lane } from '#server/lane.ts';

import { Unavailable } from './database.ts';

const WAITING_MAX = 1000;

/**
 * Returns a lane in which the tasks of a key run one after the other, and so occupy one connection.
 * Writes of the same row would wait for each other anyway. If the database is unavailable, the tasks
 * that wait fail immediately.
 */
export function createDatabaseLane(): Lane {
  return new Lane({
    runningMax: 1,
    waitingMax: WAITING_MAX,
    createError: () => new Unavailable(new Error('Too many calls wait for each other.')),
    failsAll: (error) => error instanceof Unavailable,
  });
}
