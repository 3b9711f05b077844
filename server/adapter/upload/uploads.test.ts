import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { Agent, globalAgent, request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { ApiError } from '#server/error.ts';
import { decodeLogo, decodePhoto } from '#server/adapter/image/decode.ts';
import type { Decoder } from '#server/adapter/image/decoder.ts';
import {
  buildTestApp,
  signInByToken,
  useOwner,
  useTestApp,
  verifyPhone,
} from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { waitUntil } from '#tests/support/polling.ts';

import { UploadLane, tooManyUploads } from './upload-lane.ts';

const MEGABYTE = 1_000_000;
const BOUNDARY = 'boundary';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n`;

const decode = vi.fn<Decoder['decode']>();
const logo = vi.fn<Decoder['decodeLogo']>();
const decoder = { decode, decodeLogo: logo, close: () => undefined };
const { testApp } = useTestApp(openTestSqlite, { dependencies: { decoder } });
const owner = useOwner(testApp);
type Owner = Pick<typeof owner, '_id' | 'sessionToken'>;
const picture = await twoHalves({ width: 200, height: 200 }).png().toBuffer();

beforeEach(async () => {
  decode.mockReset().mockImplementation(async (read) => decodePhoto(await read()));
  await testApp.app.listen({ host: '127.0.0.1', port: 0 });
});

const upload = async () => (await owner.upload(picture)).statusCode;
const removePhoto = async () => (await owner.post('user/removeProfileImage')).statusCode;

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

/** Begins an upload over HTTP that does not end; the chunks are parts of its body. */
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

/** Returns the paths of the temporary files that this process has open; the system marks removed ones. */
const openTemporaryFiles = () =>
  readdirSync('/proc/self/fd').flatMap((name) => {
    try {
      const path = readlinkSync(join('/proc/self/fd', name));
      return path.startsWith(testApp.settings.dataDir) ? path : [];
    } catch {
      return [];
    }
  });

const onLinux = test.runIf(process.platform === 'linux');

onLinux('upload: its temporary file has no name, and is closed with its connection', async () => {
  const arriving = begin([HEAD, Buffer.alloc(MEGABYTE)]);
  await waitUntil(() => /^[^,]*\.part \(deleted\)$/.test(openTemporaryFiles().join()));
  expect(readdirSync(testApp.settings.dataDir)).toEqual([]);
  arriving.sent.destroy();
  await waitUntil(() => openTemporaryFiles().length === 0);
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

function startUpload(uploads: UploadLane, userId: string) {
  let end: (() => void) | undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const task = vi.fn(async (signal: AbortSignal) => {
    await ended;
    signal.throwIfAborted();
    return 'saved';
  });
  const outcome = uploads.run(userId, task).catch(({ code, message }: ApiError) => [code, message]);
  return { task, end: () => end?.(), outcome };
}

test('upload lane: a later upload, or a removal of the photo, ends the earlier one, also one that waits', async () => {
  const uploads = new UploadLane('photo');
  const all = ['owner', 'owner', 'owner', 'other'].map((userId) => startUpload(uploads, userId));
  const calls = () => all.map(({ task }) => task.mock.calls.length);
  expect(calls()).toEqual([1, 0, 0, 1]);
  const reason = 'The photo was removed meanwhile.';
  uploads.end('other', tooManyUploads(reason));
  for (const { end } of all) end();
  const replaced = ['too_many_requests', 'A later photo of this card is being uploaded.'];
  const removed = ['too_many_requests', reason];
  const outcomes = await Promise.all(all.map(({ outcome }) => outcome));
  expect(outcomes).toEqual([replaced, replaced, 'saved', removed]);
  expect(calls()).toEqual([1, 0, 1, 1]);
  uploads.end('owner', tooManyUploads(reason));
  const [first, waiting] = [startUpload(uploads, 'owner'), startUpload(uploads, 'owner')];
  uploads.end('owner', tooManyUploads(reason));
  for (const { end } of [first, waiting]) end();
  expect([await first.outcome, await waiting.outcome]).toEqual([replaced, removed]);
});

test('upload lane: 200 uploads run at once, and one more is 503', async () => {
  const uploads = new UploadLane('photo');
  const all = Array.from({ length: 200 }, (_, index) => startUpload(uploads, String(index)));
  const message = 'Too many photos are being uploaded. Try again in a moment.';
  expect(await startUpload(uploads, 'another').outcome).toEqual(['unavailable', message]);
  for (const { end } of all) end();
  expect(new Set(await Promise.all(all.map(({ outcome }) => outcome)))).toEqual(new Set(['saved']));
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

test('upload: the removal of its user ends one that arrives', async () => {
  const { status } = begin([HEAD, 'half']);
  await once(testApp.app.server, 'request');
  const token = await verifyPhone(testApp);
  expect((await owner.post('account/deleteAccount', { token })).statusCode).toBe(200);
  expect(await status).toBe(403);
});

test('upload: a connection that is closed while its photo waits does not stop the next one', async () => {
  const first = await uploadAndHold();
  const { sent } = begin([HEAD, picture]);
  const [received] = (await once(testApp.app.server, 'request')) as [IncomingMessage];
  sent.destroy();
  await waitUntil(() => received.closed);
  first.end();
  await first.status;
  expect(await upload()).toBe(200);
});

test('upload: an upload that is ended while it arrives leaves its connection usable', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const { sent, status } = begin([HEAD, picture, Buffer.alloc(MEGABYTE)], owner, agent);
  await once(testApp.app.server, 'request');
  await waitUntil(() => sent.writableLength === 0);
  expect([await removePhoto(), await status]).toEqual([200, 429]);
  sent.end(Buffer.alloc(8 * MEGABYTE));
  await once(sent, 'close');
  const { sent: next, status: nextStatus } = begin([HEAD, picture], owner, agent);
  next.end(formEnd());
  expect([await nextStatus, next.reusedSocket]).toEqual([200, true]);
});

onLinux.each([
  ['before the picture', () => [HEAD.slice(0, 20)]],
  ['inside the picture', () => [HEAD, 'half']],
  ['after the picture', () => [HEAD, 'whole', formEnd().slice(0, -20)]],
])('upload: one that stalls %s is ended by the next one, which is saved', async (_, body) => {
  const { status } = begin(body());
  await waitUntil(() => openTemporaryFiles().length === 1);
  expect([await upload(), await status]).toEqual([200, 429]);
  await waitUntil(() => openTemporaryFiles().length === 0);
});

test('upload: a decoder or a disk that fails is 503, and the next photo is saved', async () => {
  decode.mockRejectedValueOnce(new ApiError('unavailable', 'The photo could not be read.'));
  expect([await upload(), await upload()]).toEqual([503, 200]);
  const environment = { DATA_DIR: join(testApp.settings.dataDir, 'missing') };
  const { dependencies } = testApp;
  const broken = buildTestApp(dependencies.database, { environment, dependencies });
  const response = await owner.upload(picture, owner, broken);
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
  expect(response.body).toContain('not saved');
});
