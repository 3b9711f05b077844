import { once } from 'node:events';
import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { Agent, globalAgent, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { HOUR_MS } from '#domain/duration.ts';
import { ApiError } from '#server/error.ts';
import { decodeLogo, decodePhoto } from '#server/adapter/image/decode.ts';
import type { Decoder } from '#server/adapter/image/decoder.ts';
import {
  buildTestApp,
  signInByToken,
  useOwner,
  useTestApp,
  verifyPhone,
  inProcessDecoder,
} from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { recordingLog } from '#tests/support/log.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { waitUntil } from '#tests/support/polling.ts';

const MEGABYTE = 1_000_000;
const BOUNDARY = 'boundary';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n`;

const decode = vi.fn<Decoder['decode']>();
const logo = vi.fn<Decoder['decodeLogo']>();
const decoder = { ...inProcessDecoder, decode, decodeLogo: logo };
const recorded = recordingLog('error');
const { testApp } = useTestApp(openTestSqlite, { dependencies: { decoder, log: recorded.log } });
const owner = useOwner(testApp);
type Owner = Pick<typeof owner, '_id' | 'sessionToken'>;
const picture = await twoHalves({ width: 200, height: 200 }).png().toBuffer();

beforeEach(async () => {
  recorded.lines.length = 0;
  decode.mockReset().mockImplementation(async (read) => decodePhoto(await read()));
  await testApp.app.listen({ host: '127.0.0.1', port: 0 });
});

const upload = async () => (await owner.upload(picture)).statusCode;

/** Uploads a picture whose decoding ends when `end` is called. Resolves when it has begun. */
function uploadAndHold(send = upload) {
  return new Promise<{ status: Promise<number>; end: () => void }>((resolve) => {
    const hold = async (read: () => Promise<Uint8Array>) => {
      const bytes = await read();
      await new Promise<void>((end) => resolve({ status, end }));
      return bytes;
    };
    decode.mockImplementationOnce(async (read) => decodePhoto(await hold(read)));
    logo.mockReset().mockImplementationOnce(async (read) => decodeLogo(await hold(read)));
    const status = send();
  });
}

/** Begins an upload over HTTP that does not end. The chunks are parts of its body. */
function begin(chunks: readonly (Buffer | string)[], from: Owner = owner, agent = globalAgent) {
  const { port } = testApp.app.server.address() as AddressInfo;
  const type = `multipart/form-data; boundary=${BOUNDARY}`;
  const headers = { authorization: from.sessionToken, 'content-type': type };
  const path = '/api/user/uploadProfileImage';
  const sent = request({ port, path, agent, method: 'POST', headers });
  onTestFinished(() => void sent.destroy());
  sent.on('error', () => undefined);
  const status = new Promise<number | undefined>((resolve) => {
    sent.on('response', (response) => resolve(response.resume().statusCode));
  });
  for (const chunk of chunks) sent.write(chunk);
  return { sent, status };
}

const formEnd = ({ _id }: Owner = owner) =>
  `\r\n--${BOUNDARY}\r\nContent-Disposition: form-data; name="_id"\r\n\r\n${_id}\r\n--${BOUNDARY}--\r\n`;

const folder = () => join(testApp.settings.dataDir, 'uploads');
const arrivingFiles = () => readdirSync(folder());

test('upload: its file is removed after the response and with its connection, and by the next start', async () => {
  expect(await upload()).toBe(200);
  await waitUntil(() => arrivingFiles().length === 0);
  const arriving = begin([HEAD, Buffer.alloc(MEGABYTE)]);
  await waitUntil(() => arrivingFiles().length === 1);
  arriving.sent.destroy();
  await waitUntil(() => arrivingFiles().length === 0);
  for (const name of ['left', 'arriving']) writeFileSync(join(folder(), name), '');
  const hourAgo = new Date(Date.now() - HOUR_MS);
  utimesSync(join(folder(), 'left'), hourAgo, hourAgo);
  const { dependencies, settings } = testApp;
  const environment = { DATA_DIR: settings.dataDir };
  await buildTestApp(dependencies.database, { environment, dependencies }).app.ready();
  // Another node may share the folder.
  expect(arrivingFiles()).toEqual(['arriving']);
  rmSync(join(folder(), 'arriving'));
});

test('upload: 30 of the largest pictures that arrive at once use little memory, stop nobody else, and all are saved', async () => {
  const large = Buffer.concat([picture], 9.9 * MEGABYTE);
  const owners = await Promise.all(
    Array.from({ length: 30 }, (_, index) => signInByToken(testApp, `+9198765000${10 + index}`)),
  );
  const decoded = await decodePhoto(large);
  decode.mockImplementation(async (read) => (await read(), decoded));
  const before = process.memoryUsage().arrayBuffers;
  const uploads = owners.map((one) => begin([HEAD, large], one));
  for (const { sent } of uploads) await waitUntil(() => sent.writableLength === 0);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * MEGABYTE);
  expect(await upload()).toBe(200);
  for (const [index, { sent, status }] of uploads.entries()) {
    sent.end(formEnd(owners[index]));
    expect([index, await status]).toEqual([index, 200]);
  }
});

test('upload: a second one of an owner is 503, and so is the 33rd of all', async () => {
  const others = await Promise.all(
    Array.from({ length: 32 }, (_, index) => signInByToken(testApp, `+9198765000${10 + index}`)),
  );
  const [last = owner, ...first] = others;
  const owners = [owner, ...first];
  const uploads = [begin([HEAD, picture])];
  await waitUntil(() => arrivingFiles().length === 1);
  for (const send of [owner.upload, owner.uploadLogo]) {
    const response = await send(picture);
    expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
    expect(response.body).toContain('Another picture is being uploaded');
  }
  for (const one of first) uploads.push(begin([HEAD, picture], one));
  await waitUntil(() => arrivingFiles().length === 32);
  const { statusCode, body } = await owner.upload(picture, last);
  expect([statusCode, body]).toEqual([503, expect.stringContaining('Too many pictures')]);
  for (const [index, { sent, status }] of uploads.entries()) {
    sent.end(formEnd(owners[index]));
    expect([index, await status]).toEqual([index, 200]);
  }
  expect(await upload()).toBe(200);
});

const uploadLogo = async () => (await owner.uploadLogo(picture)).statusCode;

test.each([
  ['user/removeProfileImage', upload],
  ['user/:id/removeLogo', uploadLogo],
])('upload: while a picture is decoded, %s does not wait and ends it', async (path, send) => {
  const save = vi.spyOn(testApp.dependencies.photos, 'save');
  const first = await uploadAndHold(send);
  expect((await owner.post(path)).statusCode).toBe(200);
  first.end();
  expect([await first.status, save.mock.calls]).toEqual([429, []]);
});

test('upload: one that arrives while its user is removed stores nothing', async () => {
  const save = vi.spyOn(testApp.dependencies.photos, 'save');
  const { sent, status } = begin([HEAD, picture]);
  await waitUntil(() => arrivingFiles().length === 1);
  const token = await verifyPhone(testApp);
  expect((await owner.post('account/deleteAccount', { token })).statusCode).toBe(200);
  sent.end(formEnd());
  expect([await status, save.mock.calls]).toEqual([403, []]);
});

test('upload: one that is too large, or whose disk fails, leaves its connection usable', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  for (const [bytes, expected] of [
    [Buffer.alloc(11 * MEGABYTE), 413],
    [Buffer.alloc(9 * MEGABYTE), 503],
  ] as const) {
    if (expected === 503) rmSync(folder(), { recursive: true });
    const { sent, status } = begin([HEAD, bytes], owner, agent);
    const closed = once(sent, 'close');
    sent.end(formEnd());
    expect(await status).toBe(expected);
    await closed;
    mkdirSync(folder(), { recursive: true });
    const next = begin([HEAD, picture], owner, agent);
    const nextClosed = once(next.sent, 'close');
    next.sent.end(formEnd());
    expect([await next.status, next.sent.reusedSocket]).toEqual([200, true]);
    await nextClosed;
  }
});

test('upload: a decoder or a disk that fails is 503 and not an error of its own in the log, and the next photo is saved', async () => {
  decode.mockRejectedValueOnce(new ApiError('unavailable', 'The photo could not be read.'));
  expect([await upload(), await upload()]).toEqual([503, 200]);
  rmSync(folder(), { recursive: true });
  const response = await owner.upload(picture);
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
  expect(response.body).toContain("isn't saved");
  mkdirSync(folder());
  const { sent } = begin([HEAD, 'half']);
  await waitUntil(() => arrivingFiles().length === 1);
  sent.destroy();
  await waitUntil(() => arrivingFiles().length === 0);
  const messages = recorded.lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
  expect(messages).toEqual([
    'The photo could not be read.',
    expect.stringContaining("isn't saved"),
  ]);
  // The file is removed a moment before its owner may upload another.
  await expect.poll(upload, { timeout: 30_000 }).toBe(200);
});
