import { expect, test } from 'vitest';

import { MemoryRateLimit } from './rate-limit.ts';

const KEYS_MAX = 100_000;

// In its own file, because the mutation tests leave it out: a million calls take too long there.
test('memory rate limit: a million keys take the memory of a hundred thousand', () => {
  const limit = new MemoryRateLimit({ clock: { now: () => 0 }, max: 1, windowMs: 1000 });
  const sizes = new Set<number>();
  for (let n = 1; n <= 1_000_000; n += 1) {
    limit.count(String(n));
    if (n % KEYS_MAX === 0) sizes.add(limit.size);
  }
  expect([...sizes]).toEqual([KEYS_MAX]);
});
