import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import type { Handler } from '#tests/support/fake-services.ts';
import { newFolder } from '#tests/support/folder.ts';
import { hasS3Server, startS3Server } from '#tests/support/s3-server.ts';
import type { S3Server } from '#tests/support/s3-server.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { listPhotoFiles, photoNames } from '#tests/support/photo-files.ts';

import { bucketUrl, openPhotoBucket } from './bucket.ts';
import type { BucketSettings } from '#server/settings/conflicts.ts';
import { openPhotoFolder } from './photo-store.ts';
import type { PhotoStore } from './photo-store.ts';

const BASE_NAME = `ABCDEFGHJKLMNPQR-${'0'.repeat(32)}`;
const RED = { name: `${BASE_NAME}-448.jpg`, bytes: Buffer.from('red') };
const BLUE = { name: `${BASE_NAME}-224.webp`, bytes: Buffer.from('blue') };

const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    () => 'done',
    ({ cause, message }: Error) => (cause instanceof Error ? cause.message : message),
  );

/** The messages of each call of a bucket, without the code that only some replies of a missing one have. */
async function logMessages(settings: BucketSettings) {
  const photos = openPhotoBucket(settings);
  const writes = [photos.save([RED]), photos.read(RED.name), photos.remove([RED.name])];
  const calls = [...writes, listPhotoFiles(photos), photos.check()];
  const messages = await Promise.all(calls.map(outcomeOf));
  const noise = /^(S3 returned|The store answered with) |(?<=404) – NoSuchBucket/g;
  return messages.map((message) => message.replace(noise, ''));
}

afterEach(() => void vi.restoreAllMocks());

function storeTests(open: () => Promise<PhotoStore>): void {
  test('photo store: reads and lists saved files with their bytes and time, and no removed ones', async () => {
    const photos = await open();
    await photos.check();
    expect(await listPhotoFiles(photos)).toEqual([]);
    expect(await photos.read(RED.name)).toBeNull();
    const large = Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 256);
    const files = [RED, { ...BLUE, bytes: Buffer.from(large) }];
    await photos.save(files);
    for (const { name, bytes } of files)
      expect((await photos.read(name))?.equals(bytes)).toBe(true);
    expect(await photoNames(photos)).toEqual([BLUE.name, RED.name]);
    await photos.remove([BLUE.name, `${BASE_NAME}-448.webp`]);
    expect(await photos.read(BLUE.name)).toBeNull();
    const [first, ...others] = await listPhotoFiles(photos);
    expect([first?.name, others]).toEqual([RED.name, []]);
    expect(Math.abs((first?.modifiedAt ?? 0) - Date.now())).toBeLessThan(MINUTE_MS);
    // A file that is saved again is new, so the cleanup does not remove it.
    await waitUntil(async () => {
      await photos.save([RED]);
      const [second] = await listPhotoFiles(photos);
      return (second?.modifiedAt ?? 0) > (first?.modifiedAt ?? 0);
    });
  });
}

const photosFolder = () => join(newFolder(), 'photos');

describe('photo folder', () => {
  storeTests(async () => openPhotoFolder(photosFolder()));

  test('photo folder: each file, then the folder with the final names are synced before a save resolves', async () => {
    const folder = photosFolder();
    const handle = await openFile(tmpdir(), 'r');
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const synced: unknown[] = [];
    vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
      const status = await this.stat();
      synced.push(status.isDirectory() ? readdirSync(folder).toSorted() : status.size);
    });
    await openPhotoFolder(folder).save([RED, BLUE]);
    expect(synced).toEqual([RED.bytes.length, BLUE.bytes.length, [BLUE.name, RED.name]]);
    expect(readdirSync(folder).toSorted()).toEqual([BLUE.name, RED.name]);
  });

  test('photo folder: a save to a folder that cannot be written is unavailable', async () => {
    const folder = photosFolder();
    writeFileSync(folder, 'a file where the folder should be');
    const photos = openPhotoFolder(folder);
    await expect(photos.save([RED])).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    await expect(photos.check()).rejects.toThrow();
  });
});

describe.skipIf(!hasS3Server)('photo bucket', () => {
  let s3: S3Server;
  beforeAll(async () => void (s3 = await startS3Server()));
  afterAll(() => s3.stop());

  const open = async () => openPhotoBucket(await s3.makeBucket());
  storeTests(open);

  test('photo bucket: wrong keys and a missing bucket are errors, and the log names the setting', async () => {
    const settings = await s3.makeBucket();
    const secret =
      'SignatureDoesNotMatch: S3_SECRET_ACCESS_KEY is not the one of S3_ACCESS_KEY_ID.';
    const key = 'InvalidAccessKeyId: S3_ACCESS_KEY_ID is not known there.';
    const missing = { bucket: 'missing-bucket' };
    for (const [message, wrong] of [
      [`403 – ${secret}`, { secretAccessKey: 'SKTESTSECRETx' }],
      [`403 – ${key}`, { accessKeyId: 'AKOTHER' }],
      ['404: S3_BUCKET does not exist there.', missing],
      ['done', {}],
    ] as const)
      expect(await logMessages({ ...settings, ...wrong })).toEqual(Array(5).fill(message));
    const read = openPhotoBucket({ ...settings, ...missing }).read(RED.name);
    await expect(read).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  });

  test('photo bucket: objects have the content type and the cache headers of photos, and others are not listed', async () => {
    const settings = await s3.makeBucket();
    const photos = openPhotoBucket(settings);
    await photos.save([RED, BLUE]);
    for (const [name, type] of Object.entries({ [RED.name]: 'jpeg', [BLUE.name]: 'webp' })) {
      const { headers } = await s3.call('HEAD', `${settings.bucket}/photos/${name}`);
      expect(headers.get('content-type')).toBe(`image/${type}`);
      expect(headers.get('cache-control')).toBe(
        'public, max-age=31536000, immutable, s-maxage=3600',
      );
    }
    for (const path of ['photos/holiday.jpg', 'photos/', `photos/a%26b/${RED.name}`, RED.name])
      expect((await s3.call('PUT', `${settings.bucket}/${path}`, 'x')).status).toBe(200);
    expect(await photoNames(photos)).toEqual([BLUE.name, RED.name]);
  });

  test('photo bucket: lists all files of several pages', async () => {
    const photos = openPhotoBucket(await s3.makeBucket(), 5);
    const base = BASE_NAME.slice(0, -2);
    const names = Array.from({ length: 12 }, (_, index) => `${base}${index + 10}-448.jpg`);
    await photos.save(names.map((name) => ({ ...RED, name })));
    const sizes: number[] = [];
    for await (const some of photos.list()) sizes.push(some.length);
    expect([sizes, await photoNames(photos)]).toEqual([[5, 5, 2], names]);
    await photos.remove(names);
    expect(await photoNames(photos)).toEqual([]);
  });
});

test.each([
  ['https://example.com/storage/s3', true, 'https://example.com/storage/s3/cards'],
  ['https://s3.ap-south-1.amazonaws.com', false, 'https://cards.s3.ap-south-1.amazonaws.com/'],
  ['http://store:9000', false, 'http://cards.store:9000/'],
])('bucket URL: of %s with path style %s is %s', (endpoint, isPathStyle, expected) => {
  expect(bucketUrl({ bucket: 'cards', endpoint, isPathStyle })).toBe(expected);
});

/** A bucket of a fake store. Only a real S3 server checks signatures. */
async function openFake(respond: Handler) {
  const { origin, calls, close } = await startFakeServices({ '*': respond });
  onTestFinished(close);
  const keys = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'hunter2hunter2' };
  const place = { bucket: 'cards', endpoint: origin, region: 'us-east-1', isPathStyle: true };
  const photos = openPhotoBucket({ ...place, ...keys });
  return { photos, calls, objectUrl: `${origin}/cards/photos/${RED.name}` };
}

const listOf = (content: string) => `<ListBucketResult>${content}</ListBucketResult>`;
const XML = { 'content-type': 'application/xml; charset=utf-8' };

test('photo bucket: repeats a read and a save after a server error or a broken connection, at most twice, and no removal and nothing after 403', async () => {
  const statuses = [503, 500, 200, 503, 503, 503, 503, 0, 403];
  const { photos, calls } = await openFake((_call, response) => {
    const status = statuses.shift() ?? 500;
    const body = status === 403 ? '<Error><Code>AccessDenied</Code></Error>' : 'fine';
    if (status === 0) response.destroy();
    else response.writeHead(status, XML).end(body);
  });
  expect(String(await photos.read(RED.name))).toBe('fine');
  expect(calls).toHaveLength(3);
  expect(await outcomeOf(photos.save([RED]))).toBe('S3 returned 503 – Unknown');
  expect(calls).toHaveLength(6);
  expect(await outcomeOf(photos.remove([RED.name]))).toBe('S3 returned 503 – Unknown');
  expect(calls).toHaveLength(7);
  const denied = 'S3 returned 403 – AccessDenied: these keys may not do this.';
  expect(await outcomeOf(photos.read(RED.name))).toBe(denied);
  expect(calls).toHaveLength(9);
});

test('photo bucket: a check of a store that hangs before or during its response ends after 0.5 s, a read after 5 s', async () => {
  const timeout = AbortSignal.timeout.bind(AbortSignal);
  const timeouts = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(2000));
  const { photos, calls, objectUrl } = await openFake((_call, response) => {
    if (calls.length === 2) response.writeHead(200, { 'content-length': '10' }).write('half');
  });
  for (const _attempt of [1, 2])
    expect(await outcomeOf(photos.check())).toMatch(/^GET \S+: time-out\.$/);
  expect(await outcomeOf(photos.read(RED.name))).toBe(`GET ${objectUrl}: time-out.`);
  expect(timeouts.mock.calls).toEqual([[500], [500], [5000]]);
  expect(calls).toHaveLength(3);
});

test('photo bucket: rejects a response that is too large, and follows no redirect', async () => {
  const { photos, calls, objectUrl } = await openFake(({ method }, response) => {
    if (method === 'GET') response.end(Buffer.alloc(5_000_000));
    else response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  });
  const tooLarge = `GET ${objectUrl}: response too large.`;
  expect(await outcomeOf(photos.read(RED.name))).toBe(tooLarge);
  expect(await outcomeOf(photos.save([RED]))).toBe('S3 returned 307 – Unknown');
  expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('photo bucket: a list has no object without a time, and another response is an error, not an empty list', async () => {
  const key = `<Key>photos/${RED.name}</Key>`;
  const time = '<LastModified>2026-01-15T09:00:00.500Z</LastModified>';
  const contents = `<Contents>${key}${time}</Contents><Contents>${key}</Contents>`;
  let body = listOf(`<IsTruncated>false</IsTruncated>${contents}`);
  const { photos } = await openFake((_call, response) => response.writeHead(200, XML).end(body));
  const modifiedAt = Date.UTC(2026, 0, 15, 9, 0, 0, 500);
  expect(await listPhotoFiles(photos)).toEqual([{ name: RED.name, modifiedAt }]);
  const isTruncated = '<IsTruncated>true</IsTruncated>';
  const noToken = '<NextContinuationToken></NextContinuationToken>';
  const pages = [listOf(isTruncated), listOf(isTruncated + noToken)];
  for (body of ['<html><body>Welcome</body></html>', '', ...pages]) {
    const outcomes = await Promise.all([listPhotoFiles(photos), photos.check()].map(outcomeOf));
    const error = expect.stringMatching(/^GET \S+: the response is not a complete list\.$/);
    expect(outcomes).toEqual([error, error]);
  }
});

// Only root can mount.
test.skipIf(process.getuid?.() !== 0)(
  'photo folder: a full disk of its own fails the check',
  async () => {
    const folder = join(newFolder(), 'photos');
    mkdirSync(folder);
    const photos = openPhotoFolder(folder);
    expect(await outcomeOf(photos.check())).toBe('done');
    const run = (command: string) => execFileSync('sh', ['-c', `${command} ${folder}`]);
    run('mount -t tmpfs -o size=900k tmpfs');
    onTestFinished(() => void run('umount'));
    expect(await outcomeOf(photos.check())).toBe(`The disk of ${folder} is full.`);
  },
);
