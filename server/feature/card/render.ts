import { setTimeout as delay } from 'node:timers/promises';

import { Unavailable } from '#server/adapter/database/database.ts';
import { ApiError } from '#server/error.ts';
import { Limiter } from '#server/http/limit/limiter.ts';

/** A user has one running render and the newest that waits, so no user fills the queue of all. */
export function createRenderLimiter(): Limiter {
  return new Limiter({
    runningMax: 1,
    waitingMax: 1,
    whenFull: 'replace',
    createError: () => new ApiError('unavailable', 'A newer picture replaces it.'),
  });
}

const LATE: unique symbol = Symbol('late');

/** The render continues after `substitute`, and the next request gets its result. */
export async function waitForRender<Picture>(
  picture: Promise<Picture>,
  timeMs: number,
  substitute: () => Picture | Promise<Picture>,
): Promise<Picture> {
  try {
    const result = await Promise.race([picture, delay(timeMs, LATE, { ref: false })]);
    if (result !== LATE) return result;
  } catch (error) {
    const isUnavailable = error instanceof ApiError && error.code === 'unavailable';
    if (!isUnavailable && !(error instanceof Unavailable)) throw error;
  }
  return substitute();
}
