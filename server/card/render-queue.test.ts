import { expect, test } from 'vitest';

import { RenderQueue } from './render-queue.ts';

test('render queue: an owner has one running render, and the newest waiting one replaces the others', async () => {
  const queue = new RenderQueue();
  const started: string[] = [];
  const release: (() => void)[] = [];
  const run = (userId: string, name: string) =>
    queue.run(userId, async () => {
      started.push(name);
      await new Promise<void>((resolve) => release.push(resolve));
      return name;
    });
  const results = Promise.allSettled([
    run('a', 'a1'),
    run('a', 'a2'),
    run('a', 'a3'),
    run('b', 'b1'),
  ]);
  await Promise.resolve();
  expect(started).toEqual(['a1', 'b1']);
  for (const resolve of release.splice(0)) resolve();
  await new Promise((resolve) => setTimeout(resolve));
  for (const resolve of release.splice(0)) resolve();
  const [a1, a2, a3, b1] = await results;
  expect(started).toEqual(['a1', 'b1', 'a3']);
  expect([a1, a3, b1].map((result) => result?.status)).toEqual(Array(3).fill('fulfilled'));
  expect(a2).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  expect(await Promise.all([run('a', 'a4'), Promise.resolve().then(() => release[0]?.())])).toEqual(
    ['a4', undefined],
  );
});
