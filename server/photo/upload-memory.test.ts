import { request } from 'node:http';
import type { ClientRequest } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, onTestFinished, test, vi } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { ApiError } from '#server/error.ts';
import { decodePhoto } from '#server/image/decode.ts';
import { buildTestApp, signInByApi, uploadByApi, photoForm } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { twoHalves } from '#tests/support/picture.ts';

import { UploadMemory } from './upload-memory.ts';
import type { Upload } from './upload-memory.ts';

const MEGABYTE = 1_000_000;
/** With the memory of an upload without its picture. */
const BYTES_MAX = 10.5 * MEGABYTE;
const BOUNDARY = 'boundary';

/** Uploads of some owners, with the error code of each one that is ended. */
function openMemory() {
  let now = 0;
  const memory = new UploadMemory({ bytesMax: BYTES_MAX, now: () => now });
  const open = (userId: string) => {
    let upload: Upload | undefined;
    const task = (started: Upload) => {
      upload = started;
      return started.ended;
    };
    const outcome = memory
      .run(userId, task)
      .catch((error: unknown) => (error instanceof ApiError ? error.code : error));
    const push = (bytes: number) => upload?.push(Buffer.alloc(bytes));
    return { push, outcome, finish: () => upload?.finish() };
  };
  return { memory, open, advance: (milliseconds: number) => (now += milliseconds) };
}

test('upload memory: when it is used up, the upload with the least progress in 10 s is ended', async () => {
  const { memory, open, advance } = openMemory();
  const trickling = open('trickling');
  trickling.push(6 * MEGABYTE);
  const steady = open('steady');
  for (let interval = 0; interval < 3; interval += 1) {
    advance(10 * SECOND_MS);
    trickling.push(0.1 * MEGABYTE);
    steady.push(0.2 * MEGABYTE);
  }
  const latest = open('latest');
  latest.push(3 * MEGABYTE);
  expect(memory.sizeBytes).toBeGreaterThan(9.9 * MEGABYTE);
  latest.push(MEGABYTE);
  expect(memory.sizeBytes).toBeLessThan(5 * MEGABYTE);
  expect(await trickling.outcome).toBe('unavailable');
  expect(() => trickling.push(1)).toThrow(ApiError);
  expect(steady.finish()).toHaveLength(0.6 * MEGABYTE);
});

test('upload memory: uploads that have arrived or just begun are not ended, but the one that does not fit', async () => {
  const { open, advance } = openMemory();
  const arrived = open('arrived');
  arrived.push(5 * MEGABYTE);
  expect(arrived.finish()).toHaveLength(5 * MEGABYTE);
  advance(60 * SECOND_MS);
  const young = open('young');
  young.push(4 * MEGABYTE);
  const latest = open('latest');
  expect(() => latest.push(2 * MEGABYTE)).toThrow(/Too many photos are being uploaded/);
  young.push(MEGABYTE);
  expect(young.finish()).toHaveLength(5 * MEGABYTE);
});

test('upload: slow uploads of 12 owners, two each, stop nobody else', async () => {
  const { database, dispose } = await openTestSqlite();
  const testApp = buildTestApp(database);
  await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = testApp.app.server.address() as AddressInfo;
  const requests: ClientRequest[] = [];
  onTestFinished(async () => {
    for (const one of requests) one.destroy();
    await testApp.app.close();
    await dispose();
  });
  /** Begins an upload that does not end. Returns the status of its response. */
  const begin = ({ sessionToken }: { sessionToken: string }) =>
    new Promise<number | undefined>((resolve) => {
      const upload = request({
        port,
        method: 'POST',
        path: '/api/user/uploadProfileImage',
        headers: {
          authorization: sessionToken,
          'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
        },
      });
      requests.push(upload);
      upload.on('error', () => undefined);
      upload.on('response', (response) => resolve(response.resume().statusCode));
      upload.write(
        `--${BOUNDARY}\r\nContent-Disposition: form-data; name="image"; filename="me.jpg"\r\n\r\n1234`,
      );
    });
  const phones = Array.from({ length: 12 }, (_, n) => `+9198765${String(n).padStart(5, '0')}`);
  const owners = await Promise.all(phones.map((phone) => signInByApi(testApp, phone)));
  // One of each two replaces the other, so all have begun.
  const replaced = owners.map((owner) => Promise.race([begin(owner), begin(owner)]));
  expect(new Set(await Promise.all(replaced))).toEqual(new Set([429]));

  const owner = await signInByApi(testApp);
  const picture = await twoHalves({ width: 200, height: 200 }).png().toBuffer();
  const response = await uploadByApi(testApp, owner, photoForm(owner._id, picture));
  expect(response.statusCode).toBe(200);
});

test('upload: while a photo is decoded, the next one is 429, and a removal does not wait and ends it', async () => {
  const { database, dispose } = await openTestSqlite();
  const decode = vi.fn(decodePhoto);
  const testApp = buildTestApp(database, {
    dependencies: { decoder: { decode, close: () => undefined } },
  });
  onTestFinished(async () => {
    await testApp.app.close();
    await dispose();
  });
  const owner = await signInByApi(testApp);
  const picture = await twoHalves({ width: 200, height: 200 }).png().toBuffer();
  const upload = async () =>
    (await uploadByApi(testApp, owner, photoForm(owner._id, picture))).statusCode;

  let end: (() => void) | undefined;
  const first = await new Promise<{ status: Promise<number> }>((resolve) => {
    decode.mockImplementationOnce(
      () =>
        new Promise((decoded) => {
          end = () => decoded(decodePhoto(picture));
          resolve({ status });
        }),
    );
    const status = upload();
  });
  expect(await upload()).toBe(429);
  const removal = await testApp.app.inject({
    method: 'POST',
    url: `/api/user/removeProfileImage/${owner._id}`,
    headers: { authorization: owner.sessionToken },
  });
  expect(removal.statusCode).toBe(200);
  end?.();
  expect(await first.status).toBe(429);
  const user = await testApp.app.inject({ url: `/api/user/${owner._id}` });
  expect(user.json()).toMatchObject({ profilePhoto: '' });
  decode.mockRejectedValueOnce(new ApiError('unavailable', 'The photo could not be read.'));
  expect(await upload()).toBe(503);
  expect(await upload()).toBe(200);
});
