import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { checkConnection, isOffline, subscribeToConnection } from './connection.ts';
import { PROGRESS_TIMEOUT_MS, fetchInTime, request } from './request.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Stubs a server that sends its headers at once and its body in parts, or that sends nothing at all. */
function stubServer(hasHeaders: boolean) {
  let body: ReadableStreamDefaultController | undefined;
  vi.stubGlobal('fetch', async (_url: string, { signal }: { signal: AbortSignal }) => {
    const aborted = new Promise<never>((_resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
    if (!hasHeaders) return aborted;
    const start = (controller: ReadableStreamDefaultController) => {
      body = controller;
      aborted.catch((error: unknown) => controller.error(error));
    };
    const headers = { etag: '"1"' };
    return new Response(new ReadableStream({ start }), { status: 404, headers });
  });
  return {
    send: (text: string) => body?.enqueue(new TextEncoder().encode(text)),
    end: () => body?.close(),
  };
}

const isAborted = { name: 'AbortError' };

test('request: without a response it ends after 15 s', async () => {
  stubServer(false);
  const ended = expect(fetchInTime('/x')).rejects.toMatchObject(isAborted);
  await vi.advanceTimersByTimeAsync(PROGRESS_TIMEOUT_MS);
  await ended;
});

test('request: ends 15 s after the last part of the body', async () => {
  const { send } = stubServer(true);
  const ended = expect(request('/x', {})).rejects.toMatchObject(isAborted);
  await vi.advanceTimersByTimeAsync(PROGRESS_TIMEOUT_MS - 1);
  send('a');
  await vi.advanceTimersByTimeAsync(PROGRESS_TIMEOUT_MS - 1);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await ended;
});

test('request: returns the status, the headers and the whole body, and stops its timer', async () => {
  const { send, end } = stubServer(true);
  const received = request('/x', {});
  await vi.advanceTimersByTimeAsync(1);
  for (const part of ['Ash', 'a']) send(part);
  end();
  const { response, text } = await received;
  expect([response.status, response.headers.get('etag'), text]).toEqual([404, '"1"', 'Asha']);
  expect(vi.getTimerCount()).toBe(0);
});

test('connection: is checked every 5 s until the service answers; listeners are called after a change only', async () => {
  /** The service answers a check with this status, or does not answer at all if it is null. */
  let status: number | null = 200;
  let checks = 0;
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', async () => {
    checks += 1;
    if (status === null) throw new TypeError('Failed to fetch');
    return new Response(null, { status });
  });
  await checkConnection();
  const changes: boolean[] = [];
  const stop = subscribeToConnection(() => changes.push(isOffline()));
  // A repeated check without a change must not call the listeners, which would repeat a failing call.
  await checkConnection();
  expect([checks, changes]).toEqual([2, []]);
  status = null;
  expect(await checkConnection()).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([checks, changes]).toEqual([5, [true]]);
  status = 200;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([checks, changes]).toEqual([6, [true, false]]);
  // A proxy that cannot reach the service counts as no connection.
  status = 502;
  expect(await checkConnection()).toBe(false);
  status = 404;
  expect(await checkConnection()).toBe(true);
  expect(changes).toEqual([true, false, true, false]);
  stop();
});
