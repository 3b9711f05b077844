import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test } from 'vitest';

import { waitUntil } from '#tests/support/polling.ts';
import { FULL_CARD, createOwner, postPhoto, sendRequest } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { noise } from '#tests/support/picture.ts';
import { print } from '#tests/support/print.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

const isRoot = process.getuid?.() === 0;
if (!isRoot) print('Not root: a small disk cannot be mounted, and a full disk is not tested.');

function mountSmallDisk(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', folder]);
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

async function save({ origin }: RunningServer, { _id, sessionToken }: Owner, bio: string) {
  const headers = { 'content-type': 'application/json', authorization: sessionToken };
  const init = { method: 'POST', headers, body: JSON.stringify({ bio }) };
  const response = await fetch(`${origin}/api/user/updateUser/${_id}`, init);
  const body = (await response.json()) as { error?: string; bio?: string };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}

test.skipIf(!isRoot)(
  'full disk: a save is 503, reads are served, and no restart is needed',
  async () => {
    const folder = mountSmallDisk();
    const server = await startServer({ DATA_DIR: folder });
    onTestFinished(() => server.stop().then(() => undefined));
    const owner = await createOwner(server, '9876543210', FULL_CARD);
    const picture = await noise({ width: 500, height: 500 }).png().toBuffer();
    const upload = async () => (await postPhoto(server, owner, picture)).status;
    expect(await upload()).toBe(200);
    const card = `/user/${owner._id}`;
    const before = await sendRequest<object>(server, card);

    fill(folder);
    // Some saves still succeed, because SQLite can overwrite pages of its write-ahead log.
    let bio = FULL_CARD.bio;
    let response = await save(server, owner, 'x'.repeat(2000));
    for (let count = 0; response.status === 200 && count < 2000; count += 1) {
      bio = response.body.bio ?? '';
      fill(folder);
      response = await save(server, owner, `${count}`.padEnd(2000, 'y'));
    }
    const body = { error: 'unavailable', message: expect.stringContaining('not saved') };
    expect(response).toEqual({ status: 503, retryAfter: '2', body });
    expect(await upload()).toBe(503);
    for (const path of [card, `${card}/contact.vcf`, `/api${card}`, '/login', '/healthz'])
      expect([path, (await fetch(server.origin + path)).status]).toEqual([path, 200]);
    expect(await sendRequest(server, card)).toEqual({ ...before, bio });

    for (const name of readdirSync(folder))
      if (name.startsWith('filler-')) rmSync(join(folder, name));
    await waitUntil(async () => (await save(server, owner, 'Saved again.')).status === 200);
    expect(await upload()).toBe(200);
    expect(await sendRequest(server, card)).toMatchObject({ bio: 'Saved again.' });
  },
);
