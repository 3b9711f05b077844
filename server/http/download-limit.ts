import type { Readable } from 'node:stream';

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';

import { ApiError } from './api-error.ts';
import { MemoryRateLimit } from './rate-limit.ts';

// The figures are from docs/security.md#limits.
const DOWNLOADS_PER_HOUR_MAX = 10;
const DOWNLOADS_AT_ONCE_MAX = 16;
/** A download that lasts longer is ended, so that a slow reader does not use up the limit. */
const DURATION_MS_MAX = 10 * MINUTE_MS;
const BUSY_RETRY_SECONDS = 5;

/**
 * Returns a function that starts a download, and counts it if it has begun. An owner has 10 downloads
 * an hour and one at a time; all owners together have 16 at a time. The function throws ApiError
 * 'too_many_requests' (429) or 'unavailable' (503).
 */
export function createDownloadLimit(clock: Clock) {
  const rateLimit = new MemoryRateLimit(DOWNLOADS_PER_HOUR_MAX, HOUR_MS);
  const owners = new Set<string>();

  return async (userId: string, open: () => Promise<Readable>): Promise<Readable> => {
    if (owners.has(userId)) throw downloadRunning();
    if (owners.size >= DOWNLOADS_AT_ONCE_MAX) throw busy();
    const waitMs = rateLimit.waitMs(userId, clock.now());
    if (waitMs !== null) throw rateExceeded(Math.ceil(waitMs / SECOND_MS));
    owners.add(userId);
    try {
      const download = await open();
      rateLimit.increment(userId, clock.now());
      const timer = setTimeout(() => download.destroy(), DURATION_MS_MAX).unref();
      download.once('close', () => {
        clearTimeout(timer);
        owners.delete(userId);
      });
      return download;
    } catch (error) {
      owners.delete(userId);
      throw error;
    }
  };
}

function downloadRunning(): ApiError {
  return new ApiError('too_many_requests', 'A download is running already. Wait until it ends.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

function busy(): ApiError {
  return new ApiError('unavailable', 'Many people download right now. Try again in a moment.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

function rateExceeded(retryAfterSeconds: number): ApiError {
  return new ApiError('too_many_requests', 'Too many downloads. Try again in an hour.', {
    retryAfterSeconds,
  });
}
