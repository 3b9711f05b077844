import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import type { ApiError } from '#server/error.ts';
import { twoHalves } from '#tests/support/picture.ts';

import { createDecoder } from './decoder.ts';
import { JobProcesses } from './job-process.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = `.cache/photo-worker-${process.pid}`;
let worker = '';

function writeWorker(name: string, source: string): string {
  const path = join(ROOT, FOLDER, `${name}.mjs`);
  writeFileSync(path, source);
  return path;
}

beforeAll(async () => {
  mkdirSync(join(ROOT, FOLDER), { recursive: true });
  const { buildDecodeWorker } = (await import(join(ROOT, 'scripts/decode-worker.mjs'))) as {
    buildDecodeWorker: (outDir: string) => Promise<string>;
  };
  worker = await buildDecodeWorker(FOLDER);
});
afterAll(() => rmSync(join(ROOT, FOLDER), { recursive: true, force: true }));

test('decoder: decodes photos in child processes, concurrently and one after the other', async () => {
  const decoder = createDecoder(worker);
  const bytes = await twoHalves({ width: 300, height: 300 }).jpeg().toBuffer();
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => decoder.decode(async () => bytes)));
  all.push(await decoder.decode(async () => bytes));
  decoder.close();
  expect(all.map(({ kind }) => kind)).toEqual(Array(6).fill('pictures'));
});

test('decoder: no code in its process can open anything but JPEG, PNG and WebP', async () => {
  const source = twoHalves({ width: 120, height: 120 });
  const files = {
    jpeg: await source.clone().jpeg().toBuffer(),
    png: await source.clone().png().toBuffer(),
    webp: await source.clone().webp().toBuffer(),
    gif: await source.clone().gif().toBuffer(),
    avif: await source.clone().avif().toBuffer(),
    tiff: await source.clone().tiff().toBuffer(),
    svg: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="300" height="300"/>'),
  };
  const probe = writeWorker(
    'probe',
    `import './decode-worker.js';
     import sharp from 'sharp';
     process.removeAllListeners('message');
     process.on('message', ({ bytes }) =>
       sharp(bytes).metadata().then(
         ({ format }) => process.send({ opened: format }),
         () => process.send({ opened: null }),
       ),
     );`,
  );
  const decoder = createDecoder(probe);
  const opened = Object.entries(files).map(async ([name, bytes]) => [
    name,
    await decoder.decode(async () => bytes),
  ]);
  expect(Object.fromEntries(await Promise.all(opened))).toEqual({
    jpeg: { opened: 'jpeg' },
    png: { opened: 'png' },
    webp: { opened: 'webp' },
    gif: { opened: null },
    avif: { opened: null },
    tiff: { opened: null },
    svg: { opened: null },
  });
  decoder.close();
});

const NO_PICTURES = { kind: 'pictures', pictures: [] };

test('decoder: a process that crashes fails its own photo, not the next one', async () => {
  const crashing = writeWorker(
    'crashing',
    `process.on('message', ({ bytes }) => {
       if (bytes[0] === 0) process.abort();
       process.send({ kind: 'pictures', pictures: [] });
     });`,
  );
  const decoder = createDecoder(crashing);
  const unavailable = { code: 'unavailable', status: 503, retryAfterSeconds: 5 };
  await expect(decoder.decode(async () => Buffer.from([0]))).rejects.toMatchObject(unavailable);
  expect(await decoder.decode(async () => Buffer.from([1]))).toEqual(NO_PICTURES);
  decoder.close();
});

test('decoder: a process that hangs is killed, and the next photo in the queue is decoded', async () => {
  const hanging = writeWorker(
    'hanging',
    `process.on('message', ({ bytes }) => {
       if (bytes[0] === 0) for (;;);
       process.send({ kind: 'pictures', pictures: [] });
     });`,
  );
  const decoder = createDecoder(hanging, 1500);
  const hung = [0, 0, 1].map((byte) => decoder.decode(async () => Buffer.from([byte])));
  const results = await Promise.allSettled(hung);
  decoder.close();
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('decoder: a process that cannot start is an error, not the end of the server', async () => {
  const decoder = createDecoder(join(ROOT, FOLDER, 'missing.mjs'));
  await expect(decoder.decode(async () => Buffer.from([1]))).rejects.toMatchObject({
    code: 'unavailable',
  });
  decoder.close();
});

test('decoder: 50 photos run or wait, one more is rejected, and those that wait are not read', async () => {
  const slow = writeWorker('slow', `process.on('message', () => undefined);`);
  const decoder = createDecoder(slow, 5000);
  const read = vi.fn(async () => Buffer.from([1]));
  const pending = Array.from({ length: 50 }, () => decoder.decode(read));
  const settled = Promise.allSettled(pending);
  await expect(decoder.decode(read)).rejects.toMatchObject({ code: 'unavailable' });
  expect(read).toHaveBeenCalledTimes(2);
  decoder.close();
  expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
});

test('job processes: their end rejects jobs that wait, and later ones', async () => {
  const idle = writeWorker('idle', 'setInterval(() => undefined, 1000);');
  const processes = new JobProcesses({
    command: () => [[idle], {}],
    runningMax: 1,
    waitingMax: 9,
    timeoutMs: 10_000,
    messages: { full: 'full', failed: 'failed' },
  });
  const begun = vi.fn();
  const run = () =>
    processes.run((send) => (begun(), send('job'))).catch(({ message }: ApiError) => message);
  const outcomes = [run(), run(), run()];
  await vi.waitUntil(() => begun.mock.calls.length === 1);
  await processes.close();
  const stopping = 'The server is stopping.';
  expect(await Promise.all([...outcomes, run()])).toEqual(['failed', stopping, stopping, stopping]);
});

test('decoder: a process does not get the environment of the server', async () => {
  const reporting = writeWorker(
    'reporting',
    `process.on('message', () => process.send({ kind: 'pictures', pictures: Object.keys(process.env).toSorted() }));`,
  );
  const decoder = createDecoder(reporting);
  expect(await decoder.decode(async () => Buffer.from([1]))).toEqual({
    kind: 'pictures',
    pictures: ['NODE_ENV', 'VIPS_BLOCK_UNTRUSTED'],
  });
  decoder.close();
});

test.runIf(process.platform === 'linux')(
  'decoder: the system ends a process that uses more than 512 MB',
  async () => {
    const greedy = writeWorker(
      'greedy',
      `process.on('message', ({ bytes }) => {
         const blocks = [];
         for (let count = 0; count < bytes[0] * 10; count += 1) blocks.push(Buffer.alloc(10_000_000, 1));
         process.send({ kind: 'pictures', pictures: [] });
       });`,
    );
    const decoder = createDecoder(greedy);
    await expect(decoder.decode(async () => Buffer.from([8]))).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(await decoder.decode(async () => Buffer.from([2]))).toEqual(NO_PICTURES);
    decoder.close();
  },
);
