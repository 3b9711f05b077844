import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { newFolder } from '#tests/support/folder.ts';

import { createRenderer } from './renderer.ts';

const SQUARE = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>');
const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfterSeconds: 5 };

const renderBy = (renderer: ReturnType<typeof createRenderer>, input = SQUARE) =>
  renderer.render((renderImage) => renderImage({ input }));

test('renderer: renders one picture at a time, and the next one after a failure', async () => {
  const renderer = createRenderer();
  const concurrent = { now: 0, max: 0 };
  const render = (input: Buffer) =>
    renderer.render(async (renderImage) => {
      concurrent.max = Math.max(concurrent.max, (concurrent.now += 1));
      return renderImage({ input }).finally(() => (concurrent.now -= 1));
    });
  const inputs = [SQUARE, Buffer.from('no image'), SQUARE];
  const results = await Promise.allSettled(inputs.map(render));
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(concurrent.max).toBe(1);
});

test('renderer: a picture that exceeds the timeout, or has no writable TMPDIR, is 503 unavailable, and the next one is drawn', async () => {
  await expect(renderBy(createRenderer(1))).rejects.toMatchObject(UNAVAILABLE);
  const folder = newFolder();
  const renderer = createRenderer();
  vi.stubEnv('TMPDIR', join(folder, 'none'));
  await expect(renderBy(renderer)).rejects.toMatchObject(UNAVAILABLE);
  vi.stubEnv('TMPDIR', folder);
  expect(await renderBy(renderer)).toMatchObject({ width: 8 });
  vi.unstubAllEnvs();
  renderer.close();
});

test('renderer: its queue holds 16 pictures; close rejects them', async () => {
  const renderer = createRenderer();
  const queued = Array.from({ length: 16 }, () => renderBy(renderer));
  const full = { code: 'unavailable', message: 'Many pictures are being drawn now.' };
  await expect(renderBy(renderer)).rejects.toMatchObject(full);
  renderer.close();
  const results = await Promise.allSettled(queued);
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
  await expect(renderBy(renderer)).rejects.toMatchObject({ message: 'The server is stopping.' });
});
