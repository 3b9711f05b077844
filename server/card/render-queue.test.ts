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

test('render queue: a render that arrives between two others is not lost', async () => {
  const queue = new RenderQueue();
  const started: string[] = [];
  const endings: (() => void)[] = [];
  const render = (name: string, ended = Promise.resolve()) =>
    queue.run('a', () => {
      started.push(name);
      return ended;
    });
  const first = render('a1', new Promise((resolve) => endings.push(resolve)));
  const second = render('a2');
  endings[0]?.();
  // After a1 has ended, and before a2 starts.
  const third = Promise.resolve().then(() => render('a3'));
  const isLost = new Promise((resolve) => setTimeout(resolve, 0, 'lost'));
  expect(await Promise.race([Promise.all([first, second, third]), isLost])).not.toBe('lost');
  expect(started).toEqual(['a1', 'a2', 'a3']);
});
