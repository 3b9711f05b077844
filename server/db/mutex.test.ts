import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { Unavailable } from './database.ts';
import { KeyedMutex } from './mutex.ts';

test('keyed mutex: runs work under one key in the order of the calls', async () => {
  const mutex = new KeyedMutex();
  const events: string[] = [];
  const work = (name: string, milliseconds: number) => async () => {
    events.push(`${name} begins`);
    await sleep(milliseconds);
    events.push(`${name} ends`);
  };
  await Promise.all([
    mutex.runExclusive('a', work('one', 20)),
    mutex.runExclusive('a', work('two', 1)),
  ]);
  expect(events).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

test('keyed mutex: other keys do not wait', async () => {
  const mutex = new KeyedMutex();
  const never = mutex.runExclusive('a', () => sleep(60_000, undefined, { ref: false }));
  expect(await mutex.runExclusive('b', async () => 'done')).toBe('done');
  void never;
});

test('keyed mutex: an error does not stop the next call', async () => {
  const mutex = new KeyedMutex();
  const rejected = mutex.runExclusive('a', () => Promise.reject(new Error('x')));
  const next = mutex.runExclusive('a', async () => 'done');
  await expect(rejected).rejects.toThrow('x');
  expect(await next).toBe('done');
});

test('keyed mutex: all waiting calls fail if the database is unavailable, and a later one runs', async () => {
  const mutex = new KeyedMutex();
  let runs = 0;
  const work = async () => {
    runs += 1;
    await sleep(5);
    throw new Unavailable(null);
  };
  const waiting = await Promise.allSettled(
    Array.from({ length: 50 }, () => mutex.runExclusive('a', work)),
  );
  expect(waiting.map(({ status }) => status)).toEqual(waiting.map(() => 'rejected'));
  expect(runs).toBe(1);
  expect(await mutex.runExclusive('a', async () => 'back')).toBe('back');
});

test('keyed mutex: removes a key without waiting calls', async () => {
  const mutex = new KeyedMutex();
  const keys = Array.from({ length: 20 }, (_, index) => `key ${index % 7}`);
  const all = Promise.allSettled(
    keys.map((key, index) =>
      mutex.runExclusive(key, async () => (index % 2 ? index : Promise.reject(new Error()))),
    ),
  );
  expect(mutex.size).toBe(7);
  await all;
  expect(mutex.size).toBe(0);
});
