import { Readable } from 'node:stream';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { fixedClock } from '#tests/support/app.ts';

import { createDownloadLimit } from './download-limit.ts';

const CHUNK = Buffer.alloc(64 * 1024);

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** A download that never ends, as fast as it is read. */
const endless = async () =>
  new Readable({
    read() {
      this.push(CHUNK);
    },
  });

const isClosed = (download: Readable) =>
  new Promise((resolve) => download.once('close', () => resolve('closed')));

test('downloads: slow readers of 20 owners do not stop another owner, and are ended within a minute', async () => {
  const start = createDownloadLimit(fixedClock());
  const slow = await Promise.all(
    Array.from({ length: 20 }, (_, index) => start(`owner ${index}`, endless)),
  );
  const fast = await start('fast', endless);
  await expect(start('fast', endless)).rejects.toMatchObject({ code: 'too_many_requests' });
  let bytes = 0;
  for (const download of slow) download.pause();
  for await (const chunk of fast.iterator({ destroyOnReturn: false })) {
    bytes += (chunk as Buffer).length;
    if (bytes > 1024 * 1024) break;
  }
  const ended = slow.map(isClosed);
  vi.advanceTimersByTime(MINUTE_MS);
  expect(new Set(await Promise.all(ended))).toEqual(new Set(['closed']));
  expect(fast.destroyed).toBe(false);
  // Nothing has been read for a minute.
  const end = isClosed(fast);
  vi.advanceTimersByTime(MINUTE_MS);
  expect(await end).toBe('closed');
  (await start('fast', endless)).destroy();
});

test('downloads: a source that is slow itself is not ended before 10 minutes', async () => {
  const start = createDownloadLimit(fixedClock());
  const download = await start('owner', async () => new Readable({ read: () => undefined }));
  download.resume();
  const end = isClosed(download);
  vi.advanceTimersByTime(9 * MINUTE_MS);
  expect(download.destroyed).toBe(false);
  vi.advanceTimersByTime(MINUTE_MS);
  expect(await end).toBe('closed');
});
