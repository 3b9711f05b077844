import { expect, test } from 'vitest';

import { createRenderer } from './renderer.ts';

const SQUARE = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8H0z"/></svg>',
);

test('renderer: renders one picture at a time, and a failed one does not stop the next', async () => {
  const renderer = createRenderer();
  let running = 0;
  let runningMax = 0;
  const render = (input: Buffer) =>
    renderer.render(async (renderStep) => {
      running += 1;
      runningMax = Math.max(runningMax, running);
      return renderStep({ input }).finally(() => (running -= 1));
    });
  const results = await Promise.allSettled([
    render(SQUARE),
    render(Buffer.from('no')),
    render(SQUARE),
  ]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(runningMax).toBe(1);
});

test('renderer: a picture that exceeds its time is unavailable', async () => {
  const renderer = createRenderer(1);
  await expect(
    renderer.render((renderStep) => renderStep({ input: SQUARE })),
  ).rejects.toMatchObject({ code: 'unavailable', status: 503, retryAfterSeconds: 5 });
});

test('renderer: the queue holds 16 pictures, and close rejects them', async () => {
  const renderer = createRenderer();
  const render = () => renderer.render((renderStep) => renderStep({ input: SQUARE }));
  const queued = Array.from({ length: 16 }, () => render());
  await expect(render()).rejects.toMatchObject({
    code: 'unavailable',
    message: 'Many pictures are being drawn now.',
  });
  renderer.close();
  const results = await Promise.allSettled(queued);
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
  await expect(render()).rejects.toMatchObject({ message: 'The server is stopping.' });
});
