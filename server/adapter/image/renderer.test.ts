import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { newFolder } from '#tests/support/folder.ts';
import { waitUntil } from '#tests/support/polling.ts';

import { JobProcesses } from './job-process.ts';
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

const REPORTER = `process.on('message', (isFatal) => {
  if (isFatal) process.abort();
  process.send({ pid: process.pid });
});`;

function openReporter(keptForMs: number) {
  const processes = new JobProcesses<{ readonly pid: number }>({
    command: () => [['-e', REPORTER], {}],
    runningMax: 1,
    waitingMax: 1,
    timeoutMs: MINUTE_MS,
    keptForMs,
    messages: { full: '', failed: '' },
  });
  onTestFinished(() => processes.close());
  return (isFatal = false) => processes.run((send) => send(isFatal));
}

test('job process: takes further jobs until its time is over or a job fails', async () => {
  const run = openReporter(MINUTE_MS);
  const first = await run();
  expect(await run()).toEqual(first);
  await expect(run(true)).rejects.toMatchObject(UNAVAILABLE);
  expect((await run()).pid).not.toBe(first.pid);
  const runBriefly = openReporter(100);
  const { pid } = await runBriefly();
  await waitUntil(() => hasEnded(pid));
  expect((await runBriefly()).pid).not.toBe(pid);
});

function hasEnded(pid: number): boolean {
  try {
    return !process.kill(pid, 0);
  } catch {
    return true;
  }
}
