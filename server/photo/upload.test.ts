import { once } from 'node:events';
import { readdirSync, readlinkSync } from 'node:fs';
import { Agent, request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { ApiError } from '#server/error.ts';
import { decodePhoto } from '#server/image/decode.ts';
import type { Decoder } from '#server/image/decoder.ts';
import { buildTestApp, photoForm, signInByApi, uploadByApi } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { twoHalves } from '#tests/support/picture.ts';

import { UploadLane } from './upload-lane.ts';

const MEGABYTE = 1_000_000;
const BOUNDARY = 'boundary';
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n`;

type Owner = Awaited<ReturnType<typeof signInByApi>>;

const decode = vi.fn<Decoder['decode']>();
let testApp: TestApp;
let picture: Buffer;

beforeEach(async () => {
  decode.mockReset();
  decode.mockImplementation(async (read) => decodePhoto(await read()));
  picture = await twoHalves({ width: 200, height: 200 }).png().toBuffer();
  const decoder = { decode, decodeLogo: vi.fn(), close: () => undefined };
  testApp = buildTestApp((await openTestSqlite()).database, { dependencies: { decoder } });
  await testApp.app.listen({ host: '127.0.0.1', port: 0 });
});

const signIn = (number: number) =>
  signInByApi(testApp, `+9198765${String(number).padStart(5, '0')}`);

const upload = async (owner: Owner) =>
  (await uploadByApi(testApp, owner, photoForm(owner._id, picture))).statusCode;

const removePhoto = async ({ _id, sessionToken }: Owner) => {
  const url = `/api/user/removeProfileImage/${_id}`;
  const headers = { authorization: sessionToken };
  return (await testApp.app.inject({ method: 'POST', url, headers })).statusCode;
};

/** Uploads a photo whose decoding ends when `end` is called. Resolves when it has begun. */
function uploadAndHold(owner: Owner) {
  return new Promise<{ status: Promise<number>; end: () => void }>((resolve) => {
    decode.mockImplementationOnce(async (read) => {
      const bytes = await read();
      await new Promise<void>((end) => resolve({ status, end }));
      return decodePhoto(bytes);
    });
    const status = upload(owner);
  });
}

/** Begins an upload over HTTP that does not end, inside the picture. */
const begin = (owner: Owner, agent: Agent | null, ...chunks: Buffer[]) =>
  beginBody(owner, agent, HEAD, ...chunks);

function beginBody(
  { sessionToken }: Owner,
  agent: Agent | null,
  ...chunks: readonly (Buffer | string)[]
) {
  const { port } = testApp.app.server.address() as AddressInfo;
  const sent: ClientRequest = request({
    port,
    ...(agent && { agent }),
    method: 'POST',
    path: '/api/user/uploadProfileImage',
    headers: {
      authorization: sessionToken,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
  });
  onTestFinished(() => void sent.destroy());
  sent.on('error', () => undefined);
  const status = new Promise<number | undefined>((resolve) => {
    sent.on('response', (response) => resolve(response.resume().statusCode));
  });
  for (const chunk of chunks) sent.write(chunk);
  return { sent, status };
}

const formEnd = ({ _id }: Owner) =>
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

test('upload: slow uploads of 12 owners, two each, stop nobody else', async () => {
  const owners = await Promise.all(Array.from({ length: 12 }, (_, number) => signIn(number)));
  // One of each two replaces the other, so all have begun.
  const replaced = owners.map(async (owner) => {
    const uploads = [begin(owner, null, Buffer.alloc(4)), begin(owner, null, Buffer.alloc(4))];
    return Promise.race(uploads.map(({ status }) => status));
  });
  expect(new Set(await Promise.all(replaced))).toEqual(new Set([429]));
  expect(await upload(await signInByApi(testApp))).toBe(200);
});

test.runIf(process.platform === 'linux')(
  'upload: its temporary file has no name, and is closed at its end and with its connection',
  async () => {
    const owner = await signInByApi(testApp);
    const arriving = begin(owner, null, Buffer.alloc(MEGABYTE));
    const unnamed = expect.stringMatching(/\.part \(deleted\)$/);
    await vi.waitFor(() => expect(openTemporaryFiles()).toEqual([unnamed]));
    expect(readdirSync(testApp.settings.dataDir)).toEqual([]);
    arriving.sent.destroy();
    await vi.waitFor(() => expect(openTemporaryFiles()).toEqual([]));
    expect(await upload(owner)).toBe(200);
    expect(openTemporaryFiles()).toEqual([]);
  },
);

test('upload: 30 of the largest pictures that arrive at once use little memory, and all are saved', async () => {
  const large = Buffer.concat([picture, Buffer.alloc(9.9 * MEGABYTE - picture.length)]);
  const owners = await Promise.all(Array.from({ length: 30 }, (_, number) => signIn(number)));
  const decoded = await decodePhoto(large);
  decode.mockImplementation(async (read) => (await read(), decoded));
  const before = process.memoryUsage().arrayBuffers;
  const uploads = owners.map((owner) => begin(owner, null, large));
  await Promise.all(
    uploads.map(({ sent }) => vi.waitUntil(() => sent.writableLength === 0, { timeout: 15_000 })),
  );
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * MEGABYTE);
  const statuses: unknown[] = [];
  for (const [index, { sent, status }] of uploads.entries()) {
    sent.end(formEnd(owners[index] as Owner));
    statuses.push(await status);
  }
  expect(statuses).toEqual(owners.map(() => 200));
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

const REPLACED = ['too_many_requests', 'A later photo of this card is being uploaded.'];

test('upload lane: a later upload ends the earlier one and runs after it', async () => {
  const uploads = new UploadLane('photo');
  const all = ['owner', 'owner', 'owner', 'other'].map((userId) => startUpload(uploads, userId));
  const calls = () => all.map(({ task }) => task.mock.calls.length);
  expect(calls()).toEqual([1, 0, 0, 1]);
  for (const { end } of all) end();
  const outcomes = await Promise.all(all.map(({ outcome }) => outcome));
  expect(outcomes).toEqual([REPLACED, REPLACED, 'saved', 'saved']);
  expect(calls()).toEqual([1, 0, 1, 1]);
});

test('upload lane: a removal of the photo ends the upload that runs and the one that waits', async () => {
  const uploads = new UploadLane('photo');
  const [first, second] = [startUpload(uploads, 'owner'), startUpload(uploads, 'owner')];
  const reason = 'The photo was removed meanwhile.';
  uploads.end('owner', reason);
  for (const { end } of [first, second]) end();
  expect(await first.outcome).toEqual(REPLACED);
  expect(await second.outcome).toEqual(['too_many_requests', reason]);
  uploads.end('owner', reason);
  const third = startUpload(uploads, 'owner');
  third.end();
  expect(await third.outcome).toBe('saved');
});

test('upload lane: 200 uploads run at once, and one more is 503', async () => {
  const uploads = new UploadLane('photo');
  const all = Array.from({ length: 200 }, (_, owner) => startUpload(uploads, String(owner)));
  const message = 'Too many photos are being uploaded. Try again in a moment.';
  expect(await startUpload(uploads, 'another').outcome).toEqual(['unavailable', message]);
  for (const { end } of all) end();
  expect(new Set(await Promise.all(all.map(({ outcome }) => outcome)))).toEqual(new Set(['saved']));
});

test('upload: while a photo is decoded, a removal does not wait and ends it', async () => {
  const owner = await signInByApi(testApp);
  const first = await uploadAndHold(owner);
  expect(await removePhoto(owner)).toBe(200);
  first.end();
  expect(await first.status).toBe(429);
  const card = await testApp.app.inject(`/api/user/${owner._id}`);
  expect(card.json()).toMatchObject({ profilePhoto: '' });
});

test('upload: a connection that is closed while its photo waits does not stop the next one', async () => {
  const owner = await signInByApi(testApp);
  const first = await uploadAndHold(owner);
  const closed = new Promise((resolve) => {
    testApp.app.server.once('request', (received: IncomingMessage) =>
      received.on('close', resolve),
    );
  });
  const { sent } = begin(owner, null, picture);
  testApp.app.server.once('request', () => sent.destroy());
  await closed;
  first.end();
  await first.status;
  expect(await upload(owner)).toBe(200);
});

test('upload: an upload that is ended while it arrives leaves its connection usable', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const owner = await signInByApi(testApp);
  const { sent, status } = begin(owner, agent, picture, Buffer.alloc(MEGABYTE));
  await once(testApp.app.server, 'request');
  await vi.waitUntil(() => sent.writableLength === 0);
  expect(await removePhoto(owner)).toBe(200);
  expect(await status).toBe(429);
  sent.end(Buffer.alloc(8 * MEGABYTE));
  await once(sent, 'close');
  const { sent: next, status: nextStatus } = begin(owner, agent, picture);
  next.end(formEnd(owner));
  expect([await nextStatus, next.reusedSocket]).toEqual([200, true]);
});

test.runIf(process.platform === 'linux').each([
  ['before the picture', (): string[] => [HEAD.slice(0, 20)]],
  ['inside the picture', () => [HEAD, 'half']],
  ['after the picture', (owner: Owner) => [HEAD, 'whole', formEnd(owner).slice(0, -20)]],
])('upload: one that stalls %s is ended by the next one, which is saved', async (_where, body) => {
  const owner = await signInByApi(testApp);
  const { status } = beginBody(owner, null, ...body(owner));
  await vi.waitFor(() => expect(openTemporaryFiles()).toHaveLength(1));
  expect(await upload(owner)).toBe(200);
  expect(await status).toBe(429);
  expect(openTemporaryFiles()).toEqual([]);
});

test('upload: a decoder or a disk that fails is 503, and the next photo is saved', async () => {
  const owner = await signInByApi(testApp);
  decode.mockRejectedValueOnce(new ApiError('unavailable', 'The photo could not be read.'));
  expect([await upload(owner), await upload(owner)]).toEqual([503, 200]);
  const environment = { DATA_DIR: join(testApp.settings.dataDir, 'missing') };
  const { dependencies } = testApp;
  const broken = buildTestApp(dependencies.database, { environment, dependencies });
  const response = await uploadByApi(broken, owner, photoForm(owner._id, picture));
  expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5']);
  expect(response.body).toContain('not saved');
});
