import { Readable } from 'node:stream';

import { MINUTE_MS } from '#domain/duration.ts';
import type { Clock } from '#server/clock.ts';
import { ApiError, unavailableError } from '#server/error.ts';
import { Limiter } from './limiter.ts';

import { createOwnerRateLimit } from './rate-limit.ts';

// The figures are from docs/security.md#limits.
/** Each has at most three pages of contacts in memory. */
const DOWNLOADS_AT_ONCE_MAX = 100;
/** A download that lasts longer is ended. */
const DURATION_MS_MAX = 10 * MINUTE_MS;
/** Within a minute (8 KiB/s). The time is long, because the system buffers what it sends. */
const MINUTE_BYTES_MIN = 480 * 1024;
/** A page of contacts has up to 300 KB, which a slow line takes half a minute to receive. */
const CHUNK_BYTES = 64 * 1024;
const BUSY_RETRY_SECONDS = 5;

/**
 * An owner has 10 downloads an hour and one at a time. Throws ApiError 'too_many_requests' (429) or
 * 'unavailable' (503).
 */
export function createDownloadLimit(clock: Clock) {
  const rateLimit = createOwnerRateLimit(clock, 'downloads of an account');
  const limiter = { runningMax: 1, waitingMax: 0, createError: downloadRunning };
  const ofOwner = new Limiter(limiter);
  const ofAll = new Limiter({ ...limiter, runningMax: DOWNLOADS_AT_ONCE_MAX, createError: busy });

  return (userId: string, open: () => Promise<Readable>) =>
    new Promise<Readable>((resolve, reject) => {
      const download = async () => {
        rateLimit.check(userId);
        const output = endSlowReader(await open());
        rateLimit.count(userId);
        resolve(output);
        // The reader can start the next download between the two events.
        await new Promise((end) => output.once('end', end).once('close', end));
      };
      ofOwner.run(() => ofAll.run(download), userId).catch(reject);
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
  // It buffers one chunk, so that the generator continues only after the reader has read it.
  const output = Readable.from(chunks(), { objectMode: false, highWaterMark: 1 });
  const end = () => {
    output.destroy();
    // The output closes after its generator has ended, which can wait for the download.
    download.destroy();
  };
  const timer = setTimeout(end, DURATION_MS_MAX).unref();
  return output.once('close', () => clearTimeout(timer));
}

function downloadRunning(): ApiError {
  return new ApiError('too_many_requests', 'A download is running already. Wait until it ends.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
  });
}

const busy = () => unavailableError('Many people download right now. Try again in a moment.');
