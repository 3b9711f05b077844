import { execFileSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';

import { newFolder } from './support/folder.ts';
import { hasS3Server, startS3Server } from './support/s3-server.ts';
import type { S3Server } from './support/s3-server.ts';
import { createOwner, postPhoto, sendRequest } from './support/owner.ts';
import type { Owner } from './support/owner.ts';
import { twoHalves } from './support/picture.ts';
import { DIST, startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';

const WAIT = { timeout: 20_000, interval: 50 };

type Environment = Record<string, string>;

async function upload(server: RunningServer, owner: Owner, colour: string) {
  const picture = twoHalves({ width: 300, height: 300 }).tint(colour).png();
  const response = await postPhoto(server, owner, await picture.toBuffer());
  const body = (await response.json()) as { profilePhoto?: string; error?: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), ...body };
}

const photoOf = async (server: RunningServer, { _id }: Owner) =>
  (await sendRequest<{ profilePhoto: string }>(server, `/user/${_id}`)).profilePhoto;

async function load(server: RunningServer, path: string) {
  const response = await fetch(server.origin + path);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

const statusOf = async (server: RunningServer, path: string) => (await load(server, path)).status;

async function readiness(server: RunningServer) {
  const response = await fetch(`${server.origin}/readyz`);
  return [response.status, await response.json()];
}

const READY = [200, { status: 'ready' }];
const PHOTOS_UNREACHABLE = [200, { status: 'ready', degraded: ['photos'] }];

describe.skipIf(!hasS3Server)('photos in a bucket', () => {
  let s3: S3Server;
  let dataDir = '';
  const started: RunningServer[] = [];
  beforeAll(async () => {
    s3 = await startS3Server();
  });
  afterAll(() => s3.stop());
  afterEach(async () => {
    await Promise.all(started.splice(0).map((server) => server.stop('SIGKILL')));
  });

  const bucketEnvironment = async () => s3.environmentOf(await s3.makeBucket());

  async function start(environment: Environment): Promise<RunningServer> {
    const server = await startServer({ DATA_DIR: dataDir, ...environment });
    started.push(server);
    return server;
  }

  test('photo: survives a restart and an outage of the store', async () => {
    dataDir = newFolder();
    const environment = await bucketEnvironment();
    const first = await start(environment);
    const owner = await createOwner(first, '9876543210', { name: 'Asha Rao' });
    await vi.waitFor(async () => expect(await readiness(first)).toEqual(READY), WAIT);
    const { profilePhoto = '' } = await upload(first, owner, '#ff0000');
    const before = await load(first, profilePhoto);
    expect([before.status, await photoOf(first, owner)]).toEqual([200, profilePhoto]);
    expect(existsSync(join(dataDir, 'photos'))).toBe(false);
    await first.stop();

    const second = await start(environment);
    expect(await load(second, profilePhoto)).toEqual(before);

    await s3.halt();
    expect(await readiness(second)).toEqual(PHOTOS_UNREACHABLE);
    const unavailable = { status: 503, error: 'unavailable', retryAfter: '5' };
    expect(await upload(second, owner, '#00ff00')).toMatchObject(unavailable);
    expect(await photoOf(second, owner)).toBe(profilePhoto);
    for (const path of [`/user/${owner._id}`, profilePhoto, '/healthz'])
      expect(await statusOf(second, path)).toBe(200);
    expect(second.output()).toContain('no response (ECONNREFUSED)');

    // A server that starts during the outage serves cards too, and no photo from its cache.
    await second.stop();
    const third = await start(environment);
    expect(await readiness(third)).toEqual(PHOTOS_UNREACHABLE);
    expect(await statusOf(third, `/user/${owner._id}`)).toBe(200);
    expect(await statusOf(third, profilePhoto)).toBe(503);

    await s3.resume();
    await vi.waitFor(async () => expect(await readiness(third)).toEqual(READY), WAIT);
    expect(await load(third, profilePhoto)).toEqual(before);
    const next = await upload(third, owner, '#00ff00');
    expect(next.status).toBe(200);
    expect(await statusOf(third, next.profilePhoto ?? '')).toBe(200);
    expect(await statusOf(third, profilePhoto)).toBe(404);
  });

  test('move-photos: copies the photos of a data folder to the bucket, and can be repeated', async () => {
    dataDir = newFolder();
    const withFolder = await start({});
    const owner = await createOwner(withFolder, '9876543210', { name: 'Asha Rao' });
    const { profilePhoto = '' } = await upload(withFolder, owner, '#ff0000');
    const before = await load(withFolder, profilePhoto);
    await withFolder.stop();

    const environment = await bucketEnvironment();
    const move = () =>
      execFileSync(process.execPath, [join(DIST, 'command.js'), 'move-photos'], {
        env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, ...environment },
      }).toString();
    for (const added of [4, 0])
      expect(move()).toBe(
        `Cards refer to 4 photo files. ${added} were added to the bucket.\nAll photos were copied and verified.\n`,
      );
    rmSync(join(dataDir, 'photos'), { recursive: true });

    const withBucket = await start(environment);
    expect(await load(withBucket, profilePhoto)).toEqual(before);
  });
});
