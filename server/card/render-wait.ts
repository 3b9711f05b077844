import { setTimeout as delay } from 'node:timers/promises';

import { SECOND_MS } from '#domain/duration.ts';
import { ApiError } from '#server/error.ts';

/** Chats wait a few seconds for a preview picture, and visitors for a contact file. */
const RENDER_WAIT_MS = 2 * SECOND_MS;

/**
 * Returns a picture, or `substitute` if the picture is not rendered within 2 s or failed. The
 * render continues, and the next request gets its result.
 */
export async function waitForRender<Picture>(
  picture: Promise<Picture>,
  substitute: Picture,
): Promise<Picture> {
  const done = new AbortController();
  const { signal } = done;
  try {
    return await Promise.race([picture, delay(RENDER_WAIT_MS, substitute, { signal })]);
  } catch (error) {
    if (error instanceof ApiError && error.code === 'unavailable') return substitute;
    throw error;
  } finally {
    done.abort();
    picture.catch(() => undefined);
  }
}
