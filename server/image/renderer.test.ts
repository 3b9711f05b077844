import { expect, test } from 'vitest';

import { createRenderer } from './renderer.ts';

const SQUARE = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8H0z"/></svg>',
);

test('drawings wait for each other, and one that fails does not stop the next', async () => {
  const renderer = createRenderer();
  let atOnce = 0;
  let atOnceMost = 0;
  const work = (input: Buffer) =>
    renderer.render(async (renderStep) => {
      atOnce += 1;
      atOnceMost = Math.max(atOnceMost, atOnce);
      return renderStep({ input }).finally(() => (atOnce -= 1));
    });
  const results = await Promise.allSettled([work(SQUARE), work(Buffer.from('no')), work(SQUARE)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(atOnceMost).toBe(1);
});

test('a drawing that hangs is stopped, and is refused as unavailable', async () => {
  const renderer = createRenderer(1);
  await expect(
    renderer.render((renderStep) => renderStep({ input: SQUARE })),
  ).rejects.toMatchObject({
    code: 'unavailable',
    status: 503,
    retryAfterSeconds: 5,
  });
});

test('the line of those who wait has an end, and closing empties it', async () => {
  const renderer = createRenderer();
  const work = () => renderer.render(async () => null);
  const taken = Array.from({ length: 64 }, () => work());
  expect(work).toThrow('Many pictures are being drawn now.');
  renderer.close();
  const results = await Promise.allSettled(taken);
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
});
