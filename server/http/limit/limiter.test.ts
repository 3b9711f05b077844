import { expect, test } from 'vitest';

import { Limiter } from './limiter.ts';

test('limiter: a new task replaces the one that waits longest', async () => {
  const limiter = new Limiter({
    runningMax: 1,
    waitingMax: 2,
    whenFull: 'replace',
    createError: () => new Error('Too many tasks.'),
  });
  const done: string[] = [];
  const run = (name: string) => limiter.run(async () => void done.push(name));
  const [first, second, ...others] = ['first', 'second', 'third', 'fourth'].map(run);
  await expect(second).rejects.toThrow('Too many tasks.');
  await Promise.all([first, ...others]);
  expect([done, limiter.size]).toEqual([['first', 'third', 'fourth'], 0]);
});
