import { setTimeout as delay } from 'node:timers/promises';

import { Unavailable } from '#server/adapter/database/database.ts';
import { ApiError } from '#server/error.ts';
import type { AppContext } from '#server/context.ts';
import { Limiter } from '#server/http/limit.ts';

const WAITING_CARDS_MAX = 100;

const createLimiter = (waitingMax: number, message: string) =>
  new Limiter({
    runningMax: 1,
    waitingMax,
    whenFull: 'replace',
    createError: () => new ApiError('unavailable', message),
  });

/** Each user has at most one running render and one waiting, so that nobody fills the shared queue. */
export const createRenderLimiter = () => createLimiter(1, 'A newer picture replaces it.');

const TIMED_OUT: unique symbol = Symbol('late');

/**
 * Returns `substitute` if the picture is not ready in time or its render is unavailable. A late render
 * continues, and the next request gets its result.
 */
export async function waitForRender<Picture>(
  picture: Promise<Picture>,
  timeMs: number,
  substitute: () => Picture | Promise<Picture>,
): Promise<Picture> {
  try {
    const result = await Promise.race([picture, delay(timeMs, TIMED_OUT, { ref: false })]);
    if (result !== TIMED_OUT) return result;
  } catch (error) {
    const isUnavailable = error instanceof ApiError && error.code === 'unavailable';
    if (!isUnavailable && !(error instanceof Unavailable)) throw error;
  }
  return substitute();
}

/** One card at a time is rendered after its change, so that its picture is ready for the first chat. */
export function renderAfterChanges(
  { fastify, responses }: Pick<AppContext, 'fastify' | 'responses'>,
  render: (userId: string) => Promise<void>,
): void {
  const limiter = createLimiter(WAITING_CARDS_MAX, 'Newer cards are rendered first.');
  let isClosed = false;
  const renderUnlessClosed = async (userId: string) => (isClosed ? undefined : render(userId));
  responses.onChange((userId) =>
    limiter
      .run(() => renderUnlessClosed(userId))
      .catch((error: unknown) => {
        // If the card is blocked or too many renders wait, the picture is rendered when it is requested.
        if (!isClosed && !(error instanceof ApiError))
          fastify.log.warn(
            { err: error, userId },
            'the preview picture of a changed card was not rendered',
          );
      }),
  );
  fastify.addHook('onClose', async () => {
    isClosed = true;
  });
}
