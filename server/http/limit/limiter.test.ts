import { expect, test } from 'vitest';

import { ApiError } from '#server/error.ts';
import { Limiter } from './limiter.ts';

const createError = () => new ApiError('unavailable', 'Too many tasks.');
const limiterOf = (waitingMax: number, options = {}) =>
  new Limiter({ runningMax: 1, waitingMax, createError, ...options });

/** Starts a task that runs until `end` is called. */
function startTask(limiter: Limiter, key?: string) {
  const state = { hasStarted: false, end: () => {}, result: Promise.resolve() };
  const ended = new Promise<void>((resolve) => (state.end = resolve));
  state.result = limiter.run(() => {
    state.hasStarted = true;
    return ended;
  }, key);
  state.result.catch(() => undefined);
  return state;
}

test('limiter: runs as many tasks of a key as it may, and the next ones in order', async () => {
  const limiter = limiterOf(2);
  const [first, second, third] = [startTask(limiter), startTask(limiter), startTask(limiter)];
  expect([first.hasStarted, second.hasStarted, third.hasStarted]).toEqual([true, false, false]);
  first.end();
  await first.result;
  await Promise.resolve();
  expect([second.hasStarted, third.hasStarted]).toEqual([true, false]);
  second.end();
  third.end();
  await third.result;
  expect(limiter.size).toBe(0);
});

test('limiter: rejects a task when its key is full, and runs those of other keys', async () => {
  const limiter = limiterOf(0);
  const first = startTask(limiter, 'a');
  await expect(limiter.run(async () => undefined, 'a')).rejects.toThrow('Too many tasks.');
  await expect(limiter.run(async () => 'b', 'b')).resolves.toBe('b');
  first.end();
  await first.result;
  await expect(limiter.run(async () => 'again', 'a')).resolves.toBe('again');
});

test('limiter: a new task replaces the one that waits', async () => {
  const limiter = limiterOf(1, { whenFull: 'replace' });
  const [first, second, third] = [startTask(limiter), startTask(limiter), startTask(limiter)];
  await expect(second.result).rejects.toThrow('Too many tasks.');
  first.end();
  third.end();
  await third.result;
  expect([second.hasStarted, third.hasStarted]).toEqual([false, true]);
});

test('limiter: an error that fails all ends the tasks that wait, and a later one runs', async () => {
  const failure = new Error('The database is down.');
  const limiter = limiterOf(2, { failsAll: (error: unknown) => error === failure });
  const other = startTask(limiter, 'b');
  const failing = limiter.run(() => Promise.reject(failure), 'a');
  const waiting = [startTask(limiter, 'a'), startTask(limiter, 'a')];
  for (const result of [failing, ...waiting.map((one) => one.result)])
    await expect(result).rejects.toBe(failure);
  expect(waiting.map(({ hasStarted }) => hasStarted)).toEqual([false, false]);
  await expect(limiter.run(async () => 'back', 'a')).resolves.toBe('back');
  other.end();
  await other.result;
  expect(limiter.size).toBe(0);
});
