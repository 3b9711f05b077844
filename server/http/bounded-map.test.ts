import { expect, test } from 'vitest';

import { BoundedMap } from './bounded-map.ts';

test('the entry that was set longest ago is forgotten for one more, and no other', () => {
  const map = new BoundedMap<number>(3);
  for (const [at, key] of ['a', 'b', 'c', 'd'].entries()) map.set(key, at);
  expect(['a', 'b', 'c', 'd'].map((key) => map.get(key))).toEqual([undefined, 1, 2, 3]);
  expect(map.size).toBe(3);
});

test('an entry that was set again or deleted does not take its successor along', () => {
  const map = new BoundedMap<number>(3);
  map.set('a', 1);
  map.set('a', 2);
  map.set('b', 3);
  map.delete('b');
  map.set('b', 4);
  map.set('c', 5);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([undefined, 4, 5]);
});

test('an entry that was set again to the same value counts from then on', () => {
  const map = new BoundedMap<number>(3);
  for (const key of ['a', 'b', 'a', 'c']) map.set(key, 5);
  expect(['a', 'b', 'c'].map((key) => map.get(key))).toEqual([5, 5, 5]);
});

test('a million keys are remembered and forgotten in the time of a few', () => {
  const map = new BoundedMap<number>(100_000);
  // With a walk over deleted keys this takes minutes, and the time-out is the judge.
  for (let n = 0; n < 1_000_000; n += 1) map.set(String(n), n);
  expect([map.size, map.get('899999'), map.get('900000')]).toEqual([100_000, undefined, 900_000]);
});
