import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { newFolder } from './support/folder.ts';
import { hasS3Server, startS3Server } from './support/s3-server.ts';
import { createOwner, postPhoto, sendRequest } from './support/owner.ts';
import type { Owner } from './support/owner.ts';
import { twoHalves } from './support/picture.ts';
import { startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';

const WAIT = { timeout: 20_000, interval: 50 };

async function upload(server: RunningServer, owner: Owner, colour: string) {
  const picture = twoHalves({ width: 300, height: 300 }).tint(colour).png();
  const response = await postPhoto(server, owner, await picture.toBuffer());
  const { profilePhoto = '', error } = (await response.json()) as Record<string, string>;
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, retryAfter, error, profilePhoto };
}

const photoOf = async (server: RunningServer, { _id }: Owner) =>
  (await sendRequest<{ profilePhoto: string }>(server, `/user/${_id}`)).profilePhoto;

async function load({ origin }: RunningServer, path: string) {
  const response = await fetch(origin + path);
  return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
}

async function readiness(server: RunningServer) {
  const response = await fetch(`${server.origin}/readyz`);
  return [response.status, await response.json()];
}

const READY = [200, { status: 'ready' }];
const PHOTOS_UNREACHABLE = [200, { status: 'ready', degraded: ['photos'] }];

async function start(environment: Record<string, string>): Promise<RunningServer> {
  const server = await startServer(environment);
  onTestFinished(async () => void (await server.stop('SIGKILL')));
  return server;
}

test.skipIf(!hasS3Server)('photos: those in a bucket survive an outage of it', async () => {
  const s3 = await startS3Server();
  onTestFinished(() => s3.stop());
  const DATA_DIR = newFolder();
  const environment = { DATA_DIR, ...s3.environmentOf(await s3.makeBucket()) };
  const first = await start(environment);
  await vi.waitFor(async () => expect(await readiness(first)).toEqual(READY), WAIT);
  const owner = await createOwner(first, '9876543210', { name: 'Asha Rao' });
  const { profilePhoto } = await upload(first, owner, '#ff0000');
  const before = await load(first, profilePhoto);
  expect([before.status, await photoOf(first, owner)]).toEqual([200, profilePhoto]);

  await s3.halt();
  expect(await readiness(first)).toEqual(PHOTOS_UNREACHABLE);
  const unavailable = { status: 503, error: 'unavailable', retryAfter: '5' };
  expect(await upload(first, owner, '#00ff00')).toMatchObject(unavailable);
  expect(await photoOf(first, owner)).toBe(profilePhoto);
  for (const path of [`/user/${owner._id}`, profilePhoto, '/healthz'])
    expect(await load(first, path)).toMatchObject({ status: 200 });
  expect(first.output()).toContain('no response (ECONNREFUSED)');

  // A server that starts during the outage serves cards too, and no photo from its cache.
  await first.stop();
  const second = await start(environment);
  expect(await readiness(second)).toEqual(PHOTOS_UNREACHABLE);
  expect(await load(second, `/user/${owner._id}`)).toMatchObject({ status: 200 });
  expect(await load(second, profilePhoto)).toMatchObject({ status: 503 });

  await s3.resume();
  await vi.waitFor(async () => expect(await readiness(second)).toEqual(READY), WAIT);
  expect(await load(second, profilePhoto)).toEqual(before);
  const next = await upload(second, owner, '#00ff00');
  expect(next.status).toBe(200);
  expect(await load(second, next.profilePhoto)).toMatchObject({ status: 200 });
  expect(existsSync(join(DATA_DIR, 'photos'))).toBe(false);
  expect(await load(second, profilePhoto)).toMatchObject({ status: 404 });
});
