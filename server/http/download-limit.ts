import type { Readable } from 'node:stream';

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';

import { ApiError } from './api-error.ts';
import { MemoryRateLimit } from './rate-limit.ts';

// The figures are from docs/security.md#limits.
const DOWNLOADS_PER_HOUR_MAX = 10;
const DOWNLOADS_AT_ONCE_MAX = 16;
/** A reader that is slower than this does not occupy a place for longer. */
const DURATION_MS_MAX = 10 * MINUTE_MS;
const BUSY_RETRY_SECONDS = 5;

/**
 * Creates the limits on downloads: 10 an hour and one at once for an owner, 16 at once in all. The
 * returned function starts a download, and counts it if it has begun; it throws ApiError 'too_many_requests' (429) or 'unavailable'
 * (503).
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
      const archive = await open();
      rateLimit.increment(userId, clock.now());
      const timer = setTimeout(() => archive.destroy(), DURATION_MS_MAX).unref();
      archive.once('close', () => {
        clearTimeout(timer);
        owners.delete(userId);
      });
      return archive;
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
