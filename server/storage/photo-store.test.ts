import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { deleteOrphanedPhotos } from '#server/photo/cleanup.ts';
import { ORPHAN_AGE_MS_MIN } from '#server/profile/photo-files.ts';
import { buildTestApp, photoForm, signInByApi, uploadByApi } from '#tests/support/app.ts';
import { newFolder } from '#tests/support/folder.ts';
import { hasS3Server, startS3Server } from '#tests/support/s3-server.ts';
import type { S3Server } from '#tests/support/s3-server.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { listPhotoFiles } from '#tests/support/photo-files.ts';
import { twoHalves } from '#tests/support/picture.ts';

import { photoFileNames } from './photo-store.ts';
import { openPhotoBucket } from './bucket.ts';
import { openPhotoFolder } from './folder.ts';
import type { PhotoStore } from './photo-store.ts';

const BASE_NAME = `ABCDEFGHJKLMNPQR-${'0'.repeat(32)}`;
const RED = { name: `${BASE_NAME}-448.jpg`, bytes: Buffer.from('red') };
const BLUE = { name: `${BASE_NAME}-224.webp`, bytes: Buffer.from('blue') };

const namesIn = async (photos: PhotoStore) =>
  (await listPhotoFiles(photos)).map(({ name }) => name).toSorted();

const fiveTimes = (message: string) => Array(5).fill(message) as string[];

async function logMessages(photos: PhotoStore): Promise<string[]> {
  const operations = [
    photos.save([RED]),
    photos.read(RED.name),
    photos.remove([RED.name]),
    listPhotoFiles(photos),
    photos.check(),
  ];
  const messages = (await Promise.allSettled(operations)).map((result) => {
    if (result.status === 'fulfilled') return 'done';
    const { reason } = result as { reason: Error };
    return reason.cause instanceof Error ? reason.cause.message : reason.message;
  });
  return messages.map((message) => message.replace(/^(S3 returned|The store answered with) /, ''));
}

function storeTests(open: () => Promise<PhotoStore>): void {
  test('photo store: reads and lists saved files, and no removed ones', async () => {
    const photos = await open();
    await photos.check();
    expect(await listPhotoFiles(photos)).toEqual([]);
    expect(await photos.read(RED.name)).toBeNull();
    await photos.save([RED, BLUE]);
    for (const { name, bytes } of [RED, BLUE]) expect(await photos.read(name)).toEqual(bytes);
    expect(await namesIn(photos)).toEqual([BLUE.name, RED.name]);
    await photos.remove([RED.name, `${BASE_NAME}-448.webp`]);
    expect(await photos.read(RED.name)).toBeNull();
    expect(await namesIn(photos)).toEqual([BLUE.name]);
  });

  test('photo store: saving a file again updates modifiedAt, so the cleanup does not remove it', async () => {
    const photos = await open();
    await photos.save([RED]);
    const [first] = await listPhotoFiles(photos);
    expect(Math.abs((first?.modifiedAt ?? 0) - Date.now())).toBeLessThan(MINUTE_MS);
    await new Promise((resolve) => setTimeout(resolve, 20));
    await photos.save([RED]);
    const [second] = await listPhotoFiles(photos);
    expect(second?.modifiedAt).toBeGreaterThan(first?.modifiedAt ?? Infinity);
  });

  test('photo store: a large file has the same bytes when it is read', async () => {
    const photos = await open();
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => (index * 7919) % 256));
    await photos.save([{ ...RED, bytes }]);
    expect((await photos.read(RED.name))?.equals(bytes)).toBe(true);
  });
}

describe('photo folder', () => {
  let parent = '';
  let folder = '';
  beforeEach(() => {
    parent = newFolder();
    folder = join(parent, 'photos');
  });

  storeTests(async () => openPhotoFolder(folder));

  test('photo folder: has no unfinished files after a save', async () => {
    await openPhotoFolder(folder).save([RED]);
    expect(readdirSync(folder)).toEqual([RED.name]);
  });

  test('photo folder: each file, then the folder with the final names are synced before a save resolves', async () => {
    const handle = await openFile(parent, 'r');
    const prototype = Object.getPrototypeOf(handle) as FileHandle;
    await handle.close();
    const synced: unknown[] = [];
    const sync = vi.spyOn(prototype, 'sync').mockImplementation(async function (this: FileHandle) {
      const status = await this.stat();
      synced.push(status.isDirectory() ? readdirSync(folder).toSorted() : status.size);
    });
    await openPhotoFolder(folder).save([RED, BLUE]);
    sync.mockRestore();
    expect(synced).toEqual([RED.bytes.length, BLUE.bytes.length, [BLUE.name, RED.name]]);
  });

  test('photo folder: a save to a folder that cannot be written is unavailable', async () => {
    mkdirSync(parent, { recursive: true });
    writeFileSync(folder, 'a file where the folder should be');
    const photos = openPhotoFolder(folder);
    await expect(photos.save([RED])).rejects.toMatchObject({ code: 'unavailable', status: 503 });
    await expect(photos.check()).rejects.toThrow();
  });
});

describe.skipIf(!hasS3Server)('photo bucket', () => {
  let s3: S3Server;
  beforeAll(async () => {
    s3 = await startS3Server();
  }, 120_000);
  afterAll(() => s3.stop());

  const open = async () => openPhotoBucket(await s3.makeBucket());
  storeTests(open);

  test('photo bucket: wrong keys are rejected, and the log names the setting', async () => {
    const settings = await s3.makeBucket();
    const secretAccessKey = 'SKTESTSECRETx';
    expect(await logMessages(openPhotoBucket({ ...settings, secretAccessKey }))).toEqual(
      fiveTimes(
        '403 – SignatureDoesNotMatch: S3_SECRET_ACCESS_KEY is not the one of S3_ACCESS_KEY_ID.',
      ),
    );
    expect(await logMessages(openPhotoBucket({ ...settings, accessKeyId: 'AKOTHER' }))).toEqual(
      fiveTimes('403 – InvalidAccessKeyId: S3_ACCESS_KEY_ID is not known there.'),
    );
    expect(await logMessages(openPhotoBucket(settings))).toEqual(Array(5).fill('done'));
  });

  test('photo bucket: a missing bucket is an error, not a missing photo', async () => {
    const photos = openPhotoBucket(s3.settings('missing-bucket'));
    expect(await logMessages(photos)).toEqual(
      [1, 2, 3, 0, 0].map(
        (hasCode) => `404${hasCode ? ' – NoSuchBucket' : ''}: S3_BUCKET does not exist there.`,
      ),
    );
    await expect(photos.read(RED.name)).rejects.toMatchObject({ code: 'unavailable', status: 503 });
  });

  test('photo bucket: objects have the content type and the cache headers of photos', async () => {
    const settings = await s3.makeBucket();
    await openPhotoBucket(settings).save([RED, BLUE]);
    for (const [{ name }, type] of [
      [RED, 'image/jpeg'],
      [BLUE, 'image/webp'],
    ] as const) {
      const { headers } = await s3.call('HEAD', `${settings.bucket}/photos/${name}`);
      expect(headers.get('content-type')).toBe(type);
      expect(headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    }
  });

  test('photo bucket: does not list objects with other names', async () => {
    const settings = await s3.makeBucket();
    const photos = openPhotoBucket(settings);
    await photos.save([RED]);
    for (const path of ['photos/holiday.jpg', 'photos/', `photos/a%26b/${RED.name}`, RED.name]) {
      expect((await s3.call('PUT', `${settings.bucket}/${path}`, 'x')).status).toBe(200);
    }
    expect(await namesIn(photos)).toEqual([RED.name]);
  });

  test('photo bucket: lists all files of several pages', async () => {
    const photos = openPhotoBucket(await s3.makeBucket(), 50);
    const files = Array.from({ length: 120 }, (_, index) => ({
      name: `ABCDEFGHJKLMNPQR-${String(index).padStart(32, '0')}-448.jpg`,
      bytes: Buffer.from('x'),
    }));
    for (let start = 0; start < files.length; start += 40)
      await photos.save(files.slice(start, start + 40));
    const sizes: number[] = [];
    for await (const some of photos.list()) sizes.push(some.length);
    expect(sizes).toEqual([50, 50, 20]);
    expect(await namesIn(photos)).toEqual(files.map(({ name }) => name));
    await photos.remove(files.map(({ name }) => name));
    expect(await namesIn(photos)).toEqual([]);
  });

  test('photo bucket: works with virtual-host URLs', async () => {
    const settings = await s3.makeBucket();
    await openPhotoBucket(settings).save([RED]);
    const virtual = { ...settings, endpoint: s3.domainOrigin, isPathStyle: false };
    const hosts = s3.resolveDomain();
    const photos = openPhotoBucket(virtual);
    await photos.check();
    expect(await photos.read(RED.name)).toEqual(RED.bytes);
    await photos.save([BLUE]);
    await photos.remove([RED.name]);
    expect(await namesIn(photos)).toEqual([BLUE.name]);
    expect(hosts()).toEqual(new Set([`${settings.bucket}.${s3.domain}`]));
  });

  test('photo bucket: an upload is stored, is on the card and replaces the previous photo', async () => {
    const { database } = await openTestSqlite();
    const photos = await open();
    const testApp = buildTestApp(database, { dependencies: { photos } });
    const owner = await signInByApi(testApp);
    const send = async (colour: string) => {
      const bytes = await twoHalves({ width: 300, height: 300 }).tint(colour).png().toBuffer();
      const response = await uploadByApi(testApp, owner, photoForm(owner._id, bytes));
      expect(response.statusCode).toBe(200);
      return response.json<{ profilePhoto: string }>().profilePhoto;
    };
    const first = await send('#ff0000');
    expect(await namesIn(photos)).toEqual(photoFileNames(first).toSorted());
    const second = await send('#00ff00');
    expect(await namesIn(photos)).toEqual(photoFileNames(second).toSorted());
    expect((await testApp.app.inject(`/user/${owner._id}`)).body).toContain(second);
    const [shown, gone] = [await testApp.app.inject(second), await testApp.app.inject(first)];
    expect([shown.statusCode, gone.statusCode]).toEqual([200, 404]);
    // The cleanup removes the files of an interrupted upload when they are old enough.
    await photos.save([{ ...RED, name: RED.name.replace(/^\w+/, owner._id) }, RED]);
    const cleanUp = (ageMs: number) =>
      deleteOrphanedPhotos({ ...testApp.dependencies, clock: { now: () => Date.now() + ageMs } });
    expect([await cleanUp(0), await cleanUp(ORPHAN_AGE_MS_MIN + MINUTE_MS)]).toEqual([0, 1]);
    expect(await namesIn(photos)).toEqual([...photoFileNames(second), RED.name].toSorted());
  });
});
