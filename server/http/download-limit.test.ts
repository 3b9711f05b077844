import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { MINUTE_MS, SECOND_MS } from '#domain/duration.ts';
import { fixedClock } from '#tests/support/app.ts';

import { createDownloadLimit } from './download-limit.ts';

const CHUNK = Buffer.alloc(64 * 1024);
/** A page of contacts with long notes: 3,000,000 bytes in 1,000,000 UTF-16 units. */
const PAGE = '€'.repeat(1_000_000);

let start: ReturnType<typeof createDownloadLimit>;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  start = createDownloadLimit(fixedClock());
});
afterEach(() => void vi.useRealTimers());

const source = (read: (this: Readable) => void) => async () => new Readable({ read });

/** A download that never ends and is as fast as its reader. */
const endless = source(function read() {
  this.push(CHUNK);
});
const failing = source(function read() {
  this.destroy(new Error('database'));
});
const silent = source(() => undefined);
const pages = async (count: number) => Readable.from(Array<string>(count).fill(PAGE));

/** Resolves when a download is closed and its owner can start the next one. */
const isClosed = (download: Readable) =>
  new Promise((resolve) => download.once('close', () => setImmediate(resolve, 'closed')));

/** Reads a download at the given speed. Returns the bytes that it has read, and whether that was everything. */
async function readAt(bytesPerSecond: number, download: Readable) {
  const result = { bytes: 0, chunkBytesMax: 0, isComplete: false };
  const reader = new Writable({
    write(chunk: Buffer, _encoding, done) {
      result.bytes += chunk.length;
      result.chunkBytesMax = Math.max(result.chunkBytesMax, chunk.length);
      setTimeout(done, (chunk.length / bytesPerSecond) * SECOND_MS);
    },
  });
  const end = pipeline(download, reader).then(
    () => (result.isComplete = true),
    () => undefined,
  );
  await vi.advanceTimersByTimeAsync(9 * MINUTE_MS);
  await end;
  return result;
}

test('downloads: slow readers of 20 owners do not stop another owner, and are ended within a minute', async () => {
  const slow = await Promise.all(
    Array.from({ length: 20 }, (_, index) => start(`owner ${index}`, endless)),
  );
  const fast = await start('fast', endless);
  await expect(start('fast', endless)).rejects.toMatchObject({ code: 'too_many_requests' });
  // Each reader takes one chunk and then stops.
  const first = [...slow, fast].map((download) => download.iterator({ destroyOnReturn: false }));
  await Promise.all(first.map((chunks) => chunks.next()));
  vi.advanceTimersByTime(MINUTE_MS / 2);
  let bytes = 0;
  for await (const chunk of fast.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > 1024 * 1024) break;
  }
  const ended = slow.map(isClosed);
  vi.advanceTimersByTime(MINUTE_MS / 2);
  expect(new Set(await Promise.all(ended))).toEqual(new Set(['closed']));
  expect(fast.destroyed).toBe(false);
  // Nothing has been read for a minute.
  const end = isClosed(fast);
  vi.advanceTimersByTime(MINUTE_MS / 2);
  expect(await end).toBe('closed');
  (await start('fast', endless)).destroy();
});

test('downloads: a hundred owners at once, not one more', async () => {
  const running = await Promise.all(
    Array.from({ length: 100 }, (_, index) => start(`owner ${index}`, endless)),
  );
  await expect(start('next', endless)).rejects.toMatchObject({ code: 'unavailable' });
  const end = isClosed(running[0] as Readable);
  running[0]?.destroy();
  await end;
  for (const download of [...running, await start('next', endless)]) download.destroy();
});

test('downloads: pages of 3 MB go in chunks of 64 KiB, complete at 40 KB/s, while a reader of 4 KB/s is ended', async () => {
  const whole = { bytes: 18_000_000, chunkBytesMax: 64 * 1024, isComplete: true };
  expect(await readAt(40_000, await start('owner', () => pages(6)))).toEqual(whole);
  const slow = await readAt(4_000, await start('owner', () => pages(6)));
  expect(slow.isComplete).toBe(false);
  expect(slow.bytes).toBeLessThan(500_000);
});

test('downloads: a source that is slow itself is not ended before 10 minutes', async () => {
  const download = await start('owner', silent);
  download.resume();
  const end = isClosed(download);
  vi.advanceTimersByTime(9 * MINUTE_MS);
  expect(download.destroyed).toBe(false);
  vi.advanceTimersByTime(MINUTE_MS);
  expect(await end).toBe('closed');
});

test('downloads: a reader that goes ends the source; an error of the source reaches the reader', async () => {
  const stream = await endless();
  const download = await start('owner', async () => stream);
  const end = isClosed(download);
  await download[Symbol.asyncIterator]().next();
  download.destroy();
  await end;
  expect(stream.destroyed).toBe(true);
  const failed = await start('owner', failing);
  await expect(failed.toArray()).rejects.toThrow('database');
});
