import { join } from 'node:path';

import { expect, test, vi } from 'vitest';

import { newFolder } from '#tests/support/folder.ts';

import { createRenderer } from './renderer.ts';

const SQUARE = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>');
const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfterSeconds: 5 };

const renderBy = (renderer: ReturnType<typeof createRenderer>, input = SQUARE) =>
  renderer.render((renderImage) => renderImage({ input }));

test('renderer: a picture that exceeds the timeout, is no image, or has no writable TMPDIR, is 503 unavailable, and the next one is drawn', async () => {
  await expect(renderBy(createRenderer(1))).rejects.toMatchObject(UNAVAILABLE);
  const folder = newFolder();
  const renderer = createRenderer();
  vi.stubEnv('TMPDIR', join(folder, 'none'));
  await expect(renderBy(renderer)).rejects.toMatchObject(UNAVAILABLE);
  vi.stubEnv('TMPDIR', folder);
  await expect(renderBy(renderer, Buffer.from('no image'))).rejects.toMatchObject(UNAVAILABLE);
  expect(await renderBy(renderer)).toMatchObject({ width: 8 });
  vi.unstubAllEnvs();
  renderer.close();
});

test('renderer: draws one picture at a time, and 15 wait; close rejects all, and later ones', async () => {
  const renderer = createRenderer();
  const queued = Array.from({ length: 16 }, () => renderBy(renderer));
  const full = { code: 'unavailable', message: 'Many pictures are being drawn now.' };
  await expect(renderBy(renderer)).rejects.toMatchObject(full);
  renderer.close();
  const ended = await Promise.allSettled(queued);
  const results = [...ended, ...(await Promise.allSettled([renderBy(renderer)]))];
  const [first, ...others] = results.map((result) => String('reason' in result && result.reason));
  expect(first).toContain('The picture could not be drawn now.');
  expect(new Set(others)).toEqual(new Set([expect.stringContaining('The server is stopping.')]));
});
