import { PassThrough, pipeline } from 'node:stream';
import type { Readable } from 'node:stream';

import { HOUR_MS, MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';

import { ApiError } from './api-error.ts';
import { MemoryRateLimit } from './rate-limit.ts';

// The figures are from docs/security.md#limits.
const DOWNLOADS_PER_HOUR_MAX = 10;
/** Each has at most 500 contacts in memory. */
const DOWNLOADS_AT_ONCE_MAX = 100;
/** A download that lasts longer is ended. */
const DURATION_MS_MAX = 10 * MINUTE_MS;
/**
 * A reader must read this much in each interval. The interval is long, because the system sends what
 * it buffers before it takes more.
 */
const INTERVAL_MS = MINUTE_MS;
const BYTES_PER_SECOND_MIN = 8 * 1024;
const BYTES_PER_INTERVAL_MIN = (BYTES_PER_SECOND_MIN * INTERVAL_MS) / SECOND_MS;
const BUSY_RETRY_SECONDS = 5;

/**
 * Returns a function that starts a download, and counts it if it has begun. An owner has 10 downloads
 * an hour and one at a time; all owners together have 100 at a time. The download of a slow reader is
 * ended. The function throws ApiError 'too_many_requests' (429) or 'unavailable' (503).
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
      return endSlowReader(download).once('close', () => owners.delete(userId));
    } catch (error) {
      owners.delete(userId);
      throw error;
    }
  };
}

/** Returns the same download; it is ended if its reader is slow, and after DURATION_MS_MAX. */
function endSlowReader(download: Readable): Readable {
  const output = new PassThrough();
  let intervals = 0;
  let bytes = 0;
  const timer = setInterval(() => {
    intervals += 1;
    // While the output is empty, its reader waits for the database.
    const isSlow = bytes < BYTES_PER_INTERVAL_MIN && output.readableLength > 0;
    bytes = 0;
    if (isSlow || intervals * INTERVAL_MS >= DURATION_MS_MAX) output.destroy();
  }, INTERVAL_MS).unref();
  download.on('data', (chunk: Uint8Array) => (bytes += chunk.length));
  // It destroys both if one ends early. The reader sees the error of the output.
  pipeline(download, output, () => clearInterval(timer));
  return output;
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
