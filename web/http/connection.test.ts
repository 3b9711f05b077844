import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { checkConnection, isOffline, subscribeToConnection } from './connection.ts';

/** The status with which the service answers a check; null if it does not answer. */
let status: number | null;
let checks: number;
let changes: boolean[];
let stop: () => void;

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', { onLine: true });
  vi.stubGlobal('fetch', () => {
    checks += 1;
    return status === null
      ? Promise.reject(new TypeError('Failed to fetch'))
      : Promise.resolve(new Response(null, { status }));
  });
  status = 200;
  await checkConnection();
  checks = 0;
  changes = [];
  stop = subscribeToConnection(() => changes.push(isOffline()));
});

afterEach(() => {
  stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('connection: listeners are called after a change only, so that a failing call is not repeated', async () => {
  await checkConnection();
  await checkConnection();
  expect([checks, changes]).toEqual([2, []]);
});

test('connection: is checked every 5 s until the service answers', async () => {
  status = null;
  expect(await checkConnection()).toBe(false);
  await vi.advanceTimersByTimeAsync(10_000);
  expect([checks, changes]).toEqual([3, [true]]);
  status = 200;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([checks, changes]).toEqual([4, [true, false]]);
});

test('connection: a proxy that cannot reach the service counts as no connection, a 404 does not', async () => {
  status = 502;
  expect(await checkConnection()).toBe(false);
  status = 404;
  expect(await checkConnection()).toBe(true);
  expect(changes).toEqual([true, false]);
});
