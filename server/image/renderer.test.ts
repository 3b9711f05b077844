import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { newFolder } from '#tests/support/folder.ts';

import { createRenderer } from './renderer.ts';

const SQUARE = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><path d="M0 0h8v8H0z"/></svg>',
);
/** Too short for any picture. */
const TIMEOUT_MS = 1;
const NO_IMAGE = Buffer.from('no image');

test('renderer: renders one picture at a time, and the next one after a failure', async () => {
  const renderer = createRenderer();
  let concurrent = 0;
  let concurrentMax = 0;
  const render = (input: Buffer) =>
    renderer.render(async (renderImage) => {
      concurrent += 1;
      concurrentMax = Math.max(concurrentMax, concurrent);
      return renderImage({ input }).finally(() => (concurrent -= 1));
    });
  const results = await Promise.allSettled([render(SQUARE), render(NO_IMAGE), render(SQUARE)]);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(concurrentMax).toBe(1);
});

test('renderer: a picture that exceeds the timeout is 503 unavailable', async () => {
  const renderer = createRenderer(TIMEOUT_MS);
  const rendered = renderer.render((renderImage) => renderImage({ input: SQUARE }));
  await expect(rendered).rejects.toMatchObject({
    code: 'unavailable',
    status: 503,
    retryAfterSeconds: 5,
  });
});

test('renderer: a picture without a writable TMPDIR is 503 unavailable, and the next one is drawn', async () => {
  const folder = newFolder();
  const renderer = createRenderer();
  const render = () => renderer.render((renderImage) => renderImage({ input: SQUARE }));
  vi.stubEnv('TMPDIR', join(folder, 'none'));
  await expect(render()).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 5 });
  vi.stubEnv('TMPDIR', folder);
  expect(await render()).toMatchObject({ width: 8 });
  vi.unstubAllEnvs();
  renderer.close();
});

test('renderer: its queue holds 16 pictures; close rejects them', async () => {
  const renderer = createRenderer();
  const render = () => renderer.render((renderImage) => renderImage({ input: SQUARE }));
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
