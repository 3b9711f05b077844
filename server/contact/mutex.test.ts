import { setTimeout as sleep } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { ApiError } from '#server/http/api-error.ts';

import { KeyedMutex } from './mutex.ts';

test('work under one key is done one after the other, in the order of asking', async () => {
  const turns = new KeyedMutex();
  const story: string[] = [];
  const work = (name: string, milliseconds: number) => async () => {
    story.push(`${name} begins`);
    await sleep(milliseconds);
    story.push(`${name} ends`);
  };
  await Promise.all([turns.take('a', work('one', 20)), turns.take('a', work('two', 1))]);
  expect(story).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

test('other keys do not wait', async () => {
  const turns = new KeyedMutex();
  const never = turns.take('a', () => sleep(60_000, undefined, { ref: false }));
  expect(await turns.take('b', async () => 'done')).toBe('done');
  void never;
});

test('one who is refused holds nobody up', async () => {
  const turns = new KeyedMutex();
  const refused = turns.take('a', () => Promise.reject(new ApiError('user_unknown', 'x')));
  const next = turns.take('a', async () => 'done');
  await expect(refused).rejects.toThrow('x');
  expect(await next).toBe('done');
});

test('with the database away all who wait are told at once, and whoever comes later tries anew', async () => {
  const turns = new KeyedMutex();
  let tries = 0;
  const work = async () => {
    tries += 1;
    await sleep(5);
    throw new ApiError('unavailable', 'away');
  };
  const waiting = await Promise.allSettled(Array.from({ length: 50 }, () => turns.take('a', work)));
  expect(waiting.map(({ status }) => status)).toEqual(waiting.map(() => 'rejected'));
  expect(tries).toBe(1);
  expect(await turns.take('a', async () => 'back')).toBe('back');
});

test('keys are forgotten when nobody waits any more', async () => {
  const turns = new KeyedMutex();
  const keys = Array.from({ length: 20 }, (_, at) => `key ${at % 7}`);
  const all = Promise.allSettled(
    keys.map((key, at) => turns.take(key, async () => (at % 2 ? at : Promise.reject(new Error())))),
  );
  expect(turns.size).toBe(7);
  await all;
  expect(turns.size).toBe(0);
});
