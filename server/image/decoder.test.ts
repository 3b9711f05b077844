import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';

import type { ApiError } from '#server/error.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { waitUntil } from '#tests/support/polling.ts';

import { createDecoder } from './decoder.ts';
import { JobProcesses } from './job-process.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = `.cache/photo-worker-${process.pid}`;
const NO_PICTURES = { kind: 'pictures', pictures: [] };
const UNAVAILABLE = { code: 'unavailable', status: 503, retryAfterSeconds: 5 };
let worker = '';

function writeProgram(source: string): string {
  const path = join(ROOT, FOLDER, `${randomUUID()}.mjs`);
  writeFileSync(path, source);
  return path;
}

/** Decodes by a program until the end of the test. */
function openDecoder(path: string, timeoutMs?: number) {
  const decoder = createDecoder(path, timeoutMs);
  onTestFinished(() => decoder.close());
  return {
    decoder,
    decode: (bytes: Uint8Array | number) =>
      decoder.decode(async () => (typeof bytes === 'number' ? Buffer.from([bytes]) : bytes)),
  };
}

/** A process that runs `source` with the bytes of each photo, and replies that it has no pictures. */
const openFake = (source: string, timeoutMs?: number) =>
  openDecoder(
    writeProgram(`process.on('message', ({ bytes }) => {
      ${source}
      process.send(${JSON.stringify(NO_PICTURES)});
    });`),
    timeoutMs,
  );

beforeAll(async () => {
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  type Build = { buildDecodeWorker: (outDir: string) => Promise<string> };
  const { buildDecodeWorker } = (await import(join(ROOT, 'scripts/decode-worker.mjs'))) as Build;
  worker = await buildDecodeWorker(FOLDER);
});
afterAll(() => rmSync(join(ROOT, FOLDER), { recursive: true, force: true }));

test('decoder: decodes photos in child processes, concurrently and one after the other', async () => {
  const { decode } = openDecoder(worker);
  const bytes = await twoHalves({ width: 300, height: 300 }).jpeg().toBuffer();
  for (const count of [5, 1]) {
    const all = await Promise.all(Array.from({ length: count }, () => decode(bytes)));
    expect(all.map(({ kind }) => kind)).toEqual(Array(count).fill('pictures'));
  }
});

test('decoder: no code in its process can open anything but JPEG, PNG and WebP', async () => {
  const source = twoHalves({ width: 120, height: 120 });
  const formats = ['jpeg', 'png', 'webp', 'gif', 'avif', 'tiff'] as const;
  const files = formats.map((format) => source.clone().toFormat(format).toBuffer());
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>';
  const probe = writeProgram(`import './decode-worker.js';
    import sharp from 'sharp';
    process.removeAllListeners('message');
    process.on('message', ({ bytes }) =>
      sharp(bytes).metadata().then(({ format }) => process.send(format), () => process.send('none')),
    );`);
  const { decode } = openDecoder(probe);
  const opened = [...(await Promise.all(files)), Buffer.from(svg)].map(decode);
  expect(await Promise.all(opened)).toEqual([...formats.slice(0, 3), ...Array(4).fill('none')]);
});

test('decoder: a process that crashes or cannot start fails its own photo, not the next one', async () => {
  const { decode } = openFake('if (bytes[0] === 0) process.abort();');
  await expect(decode(0)).rejects.toMatchObject(UNAVAILABLE);
  expect(await decode(1)).toEqual(NO_PICTURES);
  await expect(openDecoder(join(ROOT, FOLDER, 'missing.mjs')).decode(1)).rejects.toMatchObject(
    UNAVAILABLE,
  );
});

test('decoder: a process that hangs is killed, and the next photo in the queue is decoded', async () => {
  const { decode } = openFake('if (bytes[0] === 0) for (;;);', 3000);
  const results = await Promise.allSettled([0, 0, 1].map(decode));
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('decoder: 50 photos run or wait, one more is rejected, and those that wait are not read', async () => {
  const { decoder } = openFake('return;');
  const read = vi.fn(async () => Buffer.from([1]));
  const pending = Array.from({ length: 50 }, () => decoder.decode(read));
  const settled = Promise.allSettled(pending);
  await expect(decoder.decode(read)).rejects.toMatchObject({ code: 'unavailable' });
  expect(read).toHaveBeenCalledTimes(2);
  decoder.close();
  expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
});

test('job processes: their end rejects jobs that wait, and later ones', async () => {
  const idle = writeProgram('setInterval(() => undefined, 1000);');
  const limits = { runningMax: 1, waitingMax: 9, timeoutMs: 60_000 };
  const messages = { full: 'full', failed: 'failed' };
  const processes = new JobProcesses({ command: () => [[idle], {}], ...limits, messages });
  const begun = vi.fn();
  const run = () =>
    processes.run((send) => (begun(), send('job'))).catch(({ message }: ApiError) => message);
  const outcomes = [run(), run(), run()];
  await waitUntil(() => begun.mock.calls.length === 1);
  await processes.close();
  const stopping = 'The server is stopping.';
  expect(await Promise.all([...outcomes, run()])).toEqual(['failed', stopping, stopping, stopping]);
});

test('decoder: a process does not get the environment of the server', async () => {
  const report = "process.on('message', () => process.send(Object.keys(process.env).toSorted()));";
  const { decode } = openDecoder(writeProgram(report));
  expect(await decode(1)).toEqual(['NODE_ENV', 'VIPS_BLOCK_UNTRUSTED']);
});

const onLinux = test.runIf(process.platform === 'linux');

onLinux('decoder: the system ends a process that uses more than 512 MB', async () => {
  const { decode } = openFake(`const blocks = [];
      for (let n = 0; n < bytes[0] * 10; n += 1) blocks.push(Buffer.alloc(10_000_000, 1));`);
  await expect(decode(8)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await decode(2)).toEqual(NO_PICTURES);
});
