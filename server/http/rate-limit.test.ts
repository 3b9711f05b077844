import { expect, test } from 'vitest';

import { MemoryRateLimit } from './rate-limit.ts';

const KEYS_MAX = 100_000;

test('a key may do so much in a window, and anew in the next one', () => {
  const limit = new MemoryRateLimit(2, 1000);
  const at = (now: number) => limit.count('a', now);
  expect([at(0), at(1), at(2), at(999), at(1000), at(1001), at(1002)]).toEqual([
    null,
    null,
    998,
    1,
    null,
    null,
    998,
  ]);
});

test('one key does not use up what another may do', () => {
  const limit = new MemoryRateLimit(1, 1000);
  expect([limit.count('a', 0), limit.count('b', 0), limit.count('a', 0)]).toEqual([
    null,
    null,
    1000,
  ]);
});

test('with very many keys the oldest is forgotten, and no other', () => {
  const limit = new MemoryRateLimit(1, 1000);
  for (let n = 0; n <= KEYS_MAX; n += 1) limit.count(String(n), 0);
  expect([limit.count('1', 0), limit.count('0', 0)]).toEqual([1000, null]);
});

test('a million addresses take the memory of a hundred thousand', () => {
  const limit = new MemoryRateLimit(1, 1000);
  const sizes = new Set<number>();
  for (let n = 1; n <= 1_000_000; n += 1) {
    limit.count(String(n), 0);
    if (n % KEYS_MAX === 0) sizes.add(limit.size);
  }
  expect([...sizes]).toEqual([KEYS_MAX]);
});
