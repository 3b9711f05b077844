import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { open as openFile } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';

import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { newFolder } from '#tests/support/folder.ts';
import { hasS3Server, startS3Server } from '#tests/support/s3-server.ts';
import type { S3Server } from '#tests/support/s3-server.ts';
import { listPhotoFiles, photoNames } from '#tests/support/photo-files.ts';

import { openPhotoBucket } from './bucket.ts';
import { openPhotoFolder } from './folder.ts';
import type { PhotoStore } from './photo-store.ts';

const BASE_NAME = `ABCDEFGHJKLMNPQR-${'0'.repeat(32)}`;
const RED = { name: `${BASE_NAME}-448.jpg`, bytes: Buffer.from('red') };
const BLUE = { name: `${BASE_NAME}-224.webp`, bytes: Buffer.from('blue') };

async function logMessages(photos: PhotoStore): Promise<string[]> {
  const writes = [photos.save([RED]), photos.read(RED.name), photos.remove([RED.name])];
  const operations = [...writes, listPhotoFiles(photos), photos.check()];
  const messages = (await Promise.allSettled(operations)).map((result) => {
    if (result.status === 'fulfilled') return 'done';
    const { reason } = result as { reason: Error };
    return reason.cause instanceof Error ? reason.cause.message : reason.message;
  });
  return messages.map((message) => message.replace(/^(S3 returned|The store answered with) /, ''));
}

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
    await new Promise((resolve) => setTimeout(resolve, 20));
    await photos.save([RED]);
    const [second] = await listPhotoFiles(photos);
    expect(second?.modifiedAt).toBeGreaterThan(first?.modifiedAt ?? Infinity);
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
    expect(readdirSync(folder).toSorted()).toEqual([BLUE.name, RED.name]);
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
    const wrong = {
      '403 – SignatureDoesNotMatch: S3_SECRET_ACCESS_KEY is not the one of S3_ACCESS_KEY_ID.': {
        secretAccessKey: 'SKTESTSECRETx',
      },
      '403 – InvalidAccessKeyId: S3_ACCESS_KEY_ID is not known there.': { accessKeyId: 'AKOTHER' },
    };
    for (const [message, keys] of Object.entries(wrong)) {
      const photos = openPhotoBucket({ ...settings, ...keys });
      expect(await logMessages(photos)).toEqual(Array(5).fill(message));
    }
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

  test('photo bucket: objects have the content type and the cache headers of photos, and others are not listed', async () => {
    const settings = await s3.makeBucket();
    const photos = openPhotoBucket(settings);
    await photos.save([RED, BLUE]);
    for (const [{ name }, type] of [
      [RED, 'image/jpeg'],
      [BLUE, 'image/webp'],
    ] as const) {
      const { headers } = await s3.call('HEAD', `${settings.bucket}/photos/${name}`);
      const cache = 'public, max-age=31536000, immutable';
      expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([type, cache]);
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
    expect(await photoNames(photos)).toEqual([BLUE.name]);
    expect(hosts()).toEqual(new Set([`${settings.bucket}.${s3.domain}`]));
  });
});
