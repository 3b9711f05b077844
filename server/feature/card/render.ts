import { setTimeout as delay } from 'node:timers/promises';

import { SECOND_MS } from '#domain/duration.ts';
import { Unavailable } from '#server/adapter/database/database.ts';
import { ApiError } from '#server/error.ts';
import { Limiter } from '#server/http/limit/limiter.ts';

/** Chats wait a few seconds for a preview picture, and visitors for a contact file. */
const RENDER_WAIT_MS = 2 * SECOND_MS;

/** A user has one running render and the newest that waits, so no user fills the queue of all. */
export function createRenderLimiter(): Limiter {
  return new Limiter({
    runningMax: 1,
    waitingMax: 1,
    whenFull: 'replace',
    createError: () => new ApiError('unavailable', 'A newer picture replaces it.'),
  });
}

/**
 * Returns a picture, or `substitute` if the picture is not rendered within 2 s or failed. The
 * render continues, and the next request gets its result.
 */
export async function waitForRender<Picture>(
  picture: Promise<Picture>,
  substitute: Picture,
): Promise<Picture> {
  try {
    return await Promise.race([picture, delay(RENDER_WAIT_MS, substitute, { ref: false })]);
  } catch (error) {
    if (error instanceof Unavailable) return substitute;
    if (error instanceof ApiError && error.code === 'unavailable') return substitute;
    throw error;
  }
}
