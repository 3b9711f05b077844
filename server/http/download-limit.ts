import { Readable } from 'node:stream';

import { MINUTE_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { ApiError, unavailableError } from '#server/error.ts';

import { Limiter, createOwnerRateLimit } from './limit.ts';

// The figures are from docs/develop/security.md#limits.
/** Each download keeps at most three pages of contacts in memory. */
const DOWNLOADS_AT_ONCE_MAX = 100;
const DURATION_MS_MAX = 10 * MINUTE_MS;
/** A reader must take this much in a minute (8 KiB/s). The period is long, because the system buffers output. */
const MINUTE_BYTES_MIN = 480 * 1024;
/** Pages of contacts are split, because one can have 300 KB, for which a slow line needs half a minute. */
const CHUNK_BYTES = 64 * 1024;
const BUSY_RETRY_SECONDS = 5;

/**
 * Permits each owner 10 downloads an hour, one at a time. Throws ApiError 'too_many_requests' (429) or
 * 'unavailable' (503).
 */
export function createDownloadLimit(clock: Clock) {
  const rateLimit = createOwnerRateLimit(clock, 'downloads of an account');
  const options = { runningMax: 1, waitingMax: 0, createError: downloadRunningError };
  const ownerLimiter = new Limiter(options);
  const totalLimiter = new Limiter({
    ...options,
    runningMax: DOWNLOADS_AT_ONCE_MAX,
    createError: manyDownloadsError,
  });

  return (userId: string, open: () => Promise<Readable>) =>
    new Promise<Readable>((resolve, reject) => {
      const download = async () => {
        rateLimit.check(userId);
        const output = endSlowReader(await open());
        rateLimit.count(userId);
        resolve(output);
        // 'end' frees the place, because the reader can start the next download before 'close'.
        await new Promise((end) => output.once('end', end).once('close', end));
      };
      ownerLimiter.run(() => totalLimiter.run(download), userId).catch(reject);
    });
}

function endSlowReader(download: Readable): Readable {
  async function* chunks() {
    let waitedMs = 0;
    let bytes = 0;
    for await (const part of download as AsyncIterable<string | Uint8Array>) {
      const whole = typeof part === 'string' ? Buffer.from(part) : part;
      for (let start = 0; start < whole.length; start += CHUNK_BYTES) {
        const chunk = whole.subarray(start, start + CHUNK_BYTES);
        const startedAt = performance.now();
        const timer = setTimeout(end, MINUTE_MS - waitedMs).unref();
        yield chunk;
        clearTimeout(timer);
        waitedMs += performance.now() - startedAt;
        bytes += chunk.length;
        if (bytes >= MINUTE_BYTES_MIN) waitedMs = bytes = 0;
      }
    }
  }
  // The output buffers one chunk, so that the generator continues only after the reader has read it.
  const output = Readable.from(chunks(), { objectMode: false, highWaterMark: 1 });
  const end = () => {
    output.destroy();
    // The output closes only after its generator has ended, and the generator may be waiting for the download.
    download.destroy();
  };
  const timer = setTimeout(end, DURATION_MS_MAX).unref();
  return output.once('close', () => clearTimeout(timer));
}

function downloadRunningError(): ApiError {
  return new ApiError('too_many_requests', 'A download is already running. Wait until it ends.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

const manyDownloadsError = () =>
  unavailableError('Many people are downloading right now. Try again in a moment.');
