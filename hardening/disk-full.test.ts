import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { waitUntil } from '#tests/support/polling.ts';
import { FULL_CARD, createOwner, postPhoto, sendRequest } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { noise } from '#tests/support/picture.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

const DISK_SIZE = 'size=6m';
const isRoot = process.getuid?.() === 0;
if (!isRoot)
  process.stdout.write(
    '  Not root: a small disk cannot be mounted, and a full disk is not tested.\n',
  );

function mountSmallDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', DISK_SIZE, 'tmpfs', folder]);
  onTestFinished(() => {
    execFileSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

function fill(folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  for (let size = bavail * bsize; size >= 1; size = Math.floor(size / 2)) {
    try {
      writeFileSync(join(folder, `filler-${size}`), Buffer.alloc(size, 1));
    } catch {
      // The disk is full; continue with a smaller file.
    }
  }
}

async function save(server: RunningServer, owner: Owner, bio: string) {
  const response = await fetch(`${server.origin}/api/user/updateUser/${owner._id}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: owner.sessionToken },
    body: JSON.stringify({ bio }),
  });
  return {
    status: response.status,
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as { error?: string; message?: string; bio?: string },
  };
}

const upload = async (server: RunningServer, owner: Owner, picture: Uint8Array) =>
  (await postPhoto(server, owner, picture)).status;

const readStatuses = async (server: RunningServer, owner: Owner) => {
  const paths = [
    `/user/${owner._id}`,
    `/user/${owner._id}/contact.vcf`,
    `/api/user/${owner._id}`,
    '/login',
    '/healthz',
  ];
  return Promise.all(paths.map(async (path) => (await fetch(server.origin + path)).status));
};

test.skipIf(!isRoot)(
  'full disk: a save is 503, reads are served, and no restart is needed',
  async () => {
    const folder = mountSmallDisk();
    const server = await startServer({ DATA_DIR: folder });
    onTestFinished(() => server.stop().then(() => undefined));
    const owner = await createOwner(server, '9876543210', FULL_CARD);
    const picture = await noise({ width: 500, height: 500 }).png().toBuffer();
    expect(await upload(server, owner, picture)).toBe(200);
    const before = await sendRequest<{ profilePhoto: string }>(server, `/user/${owner._id}`);

    fill(folder);
    // Some saves still succeed, because SQLite can overwrite pages of its write-ahead log.
    let bio = FULL_CARD.bio;
    let response = await save(server, owner, 'x'.repeat(2000));
    for (let count = 0; response.status === 200 && count < 2000; count += 1) {
      bio = response.body.bio ?? '';
      fill(folder);
      response = await save(server, owner, `${count}`.padEnd(2000, 'y'));
    }
    expect(response).toEqual({
      status: 503,
      retryAfter: '2',
      body: { error: 'unavailable', message: expect.stringContaining('not saved') },
    });
    expect(await upload(server, owner, picture.subarray())).toBe(503);
    expect(await readStatuses(server, owner)).toEqual([200, 200, 200, 200, 200]);
    expect(await sendRequest(server, `/user/${owner._id}`)).toEqual({ ...before, bio });

    for (const name of execFileSync('ls', [folder], { encoding: 'utf8' }).split('\n'))
      if (name.startsWith('filler-')) rmSync(join(folder, name));
    await waitUntil(async () => (await save(server, owner, 'Saved again.')).status === 200);
    expect(await upload(server, owner, picture)).toBe(200);
    expect(await sendRequest(server, `/user/${owner._id}`)).toMatchObject({
      bio: 'Saved again.',
    });
  },
);
