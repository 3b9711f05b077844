import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { bombPng, twoHalves } from '#tests/support/picture.ts';

import { createDecoder } from './decoder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const FOLDER = `.cache/photo-worker-${process.pid}`;
let worker = '';

/** A program in the decoder's place. */
function stand(name: string, source: string): string {
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

test('photos are made in a process of their own, several one after the other and at once', async () => {
  const decoder = createDecoder(worker);
  const bytes = await twoHalves({ width: 300, height: 300 }).jpeg().toBuffer();
  const all = await Promise.all([1, 2, 3, 4, 5].map(() => decoder.decode(bytes)));
  all.push(await decoder.decode(bytes));
  decoder.close();
  expect(all.map(({ kind }) => kind)).toEqual(Array(6).fill('pictures'));
});

test('that process knows three formats and no others, even when the first bytes lie', async () => {
  const decoder = createDecoder(worker);
  const gif = await twoHalves({ width: 200, height: 200 }).gif().toBuffer();
  const lying = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('<svg/>')]);
  const answers = [gif, lying, bombPng({ width: 20_000, height: 20_000 })].map((bytes) =>
    decoder.decode(bytes),
  );
  const refused = { kind: 'rejected', reason: 'not_a_picture' };
  expect(await Promise.all(answers)).toEqual([refused, refused, refused]);
  decoder.close();
});

test('a decoder that dies costs its own photo, and the next one is made', async () => {
  const dying = stand(
    'dying',
    `process.on('message', (bytes) => {
       if (bytes[0] === 0) process.abort();
       process.send({ kind: 'pictures', pictures: [] });
     });`,
  );
  const decoder = createDecoder(dying);
  const unavailable = { code: 'unavailable', status: 503, retryAfterSeconds: 5 };
  await expect(decoder.decode(Buffer.from([0]))).rejects.toMatchObject(unavailable);
  expect(await decoder.decode(Buffer.from([1]))).toEqual({ kind: 'pictures', pictures: [] });
  decoder.close();
});

test('a decoder that hangs is ended, and the line behind it moves on', async () => {
  const hanging = stand(
    'hanging',
    `process.on('message', (bytes) => {
       if (bytes[0] === 0) for (;;);
       process.send({ kind: 'pictures', pictures: [] });
     });`,
  );
  const decoder = createDecoder(hanging, 1500);
  const hung = [0, 0, 1].map((byte) => decoder.decode(Buffer.from([byte])));
  const results = await Promise.allSettled(hung);
  decoder.close();
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
});

test('a decoder that cannot be started is a fault, not the end of the server', async () => {
  const decoder = createDecoder(join(ROOT, FOLDER, 'missing.mjs'));
  await expect(decoder.decode(Buffer.from([1]))).rejects.toMatchObject({ code: 'unavailable' });
  decoder.close();
});

test('beyond a short line, photos are turned away until there is room again', async () => {
  const slow = stand('slow', `process.on('message', () => undefined);`);
  const decoder = createDecoder(slow, 5000);
  const pending = Array.from({ length: 18 }, () => decoder.decode(Buffer.from([1])));
  const settled = Promise.allSettled(pending);
  await expect(decoder.decode(Buffer.from([1]))).rejects.toMatchObject({ code: 'unavailable' });
  decoder.close();
  expect((await settled).every(({ status }) => status === 'rejected')).toBe(true);
});
