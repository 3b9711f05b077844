import { expect, test } from 'vitest';

import { ApiError } from '#server/error.ts';
import { Lane } from './lane.ts';

const createError = () => new ApiError('unavailable', 'Too many tasks.');
const laneOf = (waitingMax: number, options = {}) =>
  new Lane({ runningMax: 1, waitingMax, createError, ...options });

/** Starts a task that runs until `end` is called. */
function startTask(lane: Lane, key?: string) {
  const state = { hasStarted: false, end: () => {}, result: Promise.resolve() };
  const ended = new Promise<void>((resolve) => (state.end = resolve));
  state.result = lane.run(() => {
    state.hasStarted = true;
    return ended;
  }, key);
  state.result.catch(() => undefined);
  return state;
}

test('lane: runs as many tasks of a key as it may, and the next ones in order', async () => {
  const lane = laneOf(2);
  const [first, second, third] = [startTask(lane), startTask(lane), startTask(lane)];
  expect([first.hasStarted, second.hasStarted, third.hasStarted]).toEqual([true, false, false]);
  first.end();
  await first.result;
  await Promise.resolve();
  expect([second.hasStarted, third.hasStarted]).toEqual([true, false]);
  second.end();
  third.end();
  await third.result;
  expect(lane.size).toBe(0);
});

test('lane: rejects a task when its key is full, and runs those of other keys', async () => {
  const lane = laneOf(0);
  const first = startTask(lane, 'a');
  await expect(lane.run(async () => undefined, 'a')).rejects.toThrow('Too many tasks.');
  await expect(lane.run(async () => 'b', 'b')).resolves.toBe('b');
  first.end();
  await first.result;
  await expect(lane.run(async () => 'again', 'a')).resolves.toBe('again');
});

test('lane: a new task replaces the one that waits', async () => {
  const lane = laneOf(1, { whenFull: 'replace' });
  const [first, second, third] = [startTask(lane), startTask(lane), startTask(lane)];
  await expect(second.result).rejects.toThrow('Too many tasks.');
  first.end();
  third.end();
  await third.result;
  expect([second.hasStarted, third.hasStarted]).toEqual([false, true]);
});

test('lane: an error that fails all ends the tasks that wait, and a later one runs', async () => {
  const failure = new Error('The database is down.');
  const lane = laneOf(2, { failsAll: (error: unknown) => error === failure });
  const other = startTask(lane, 'b');
  const failing = lane.run(() => Promise.reject(failure), 'a');
  const waiting = [startTask(lane, 'a'), startTask(lane, 'a')];
  for (const result of [failing, ...waiting.map((one) => one.result)])
    await expect(result).rejects.toBe(failure);
  expect(waiting.map(({ hasStarted }) => hasStarted)).toEqual([false, false]);
  await expect(lane.run(async () => 'back', 'a')).resolves.toBe('back');
  other.end();
  await other.result;
  expect(lane.size).toBe(0);
});
