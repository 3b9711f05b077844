import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { newFolder } from './support/folder.ts';
import { hasS3Server, startS3Server } from './support/s3-server.ts';
import { createOwner, postPhoto } from './support/owner.ts';
import { twoHalves } from './support/picture.ts';
import { startServer } from './support/server.ts';

const WAIT = { timeout: 60_000, interval: 50 };
const PICTURE = await twoHalves({ width: 300, height: 300 }).png().toBuffer();

test.skipIf(!hasS3Server)('photos: those in a bucket survive an outage of it', async () => {
  const s3 = await startS3Server();
  onTestFinished(() => s3.stop());
  const DATA_DIR = newFolder();
  const environment = { DATA_DIR, ...s3.environmentOf(await s3.makeBucket()) };
  const start = async () => {
    const server = await startServer(environment);
    onTestFinished(async () => void (await server.stop('SIGKILL')));
    const load = async (path: string) => {
      const response = await fetch(server.origin + path);
      return { status: response.status, text: await response.text() };
    };
    return { server, load };
  };
  const first = await start();
  const owner = await createOwner(first.server, '9876543210', { name: 'Asha Rao' });
  const uploaded = await postPhoto(first.server, owner, PICTURE);
  const { profilePhoto } = (await uploaded.json()) as { profilePhoto: string };
  const photo = await first.load(profilePhoto);
  expect(photo.status).toBe(200);
  await first.server.stop();

  // A server that starts during the outage serves cards too, and no photo.
  await s3.halt();
  const { server, load } = await start();
  const degraded = JSON.stringify({ status: 'ready', degraded: ['photos'] });
  expect(await load('/readyz')).toEqual({ status: 200, text: degraded });
  const { status, headers } = await postPhoto(server, owner, PICTURE);
  expect([status, headers.get('retry-after')]).toEqual([503, '5']);
  expect((await load(`/user/${owner._id}`)).text).toContain(profilePhoto);
  expect((await load(profilePhoto)).status).toBe(503);

  await s3.resume();
  const ready = JSON.stringify({ status: 'ready' });
  await vi.waitFor(async () => expect((await load('/readyz')).text).toBe(ready), WAIT);
  expect(await load(profilePhoto)).toEqual(photo);
  expect(existsSync(join(DATA_DIR, 'photos'))).toBe(false);
});
