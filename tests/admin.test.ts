import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { runAdmin } from './support/admin.ts';
import { openTestPostgres } from './support/database.ts';
import { newFolder } from './support/folder.ts';
import { FULL_CARD, createOwner, sendCode, sendRequest, uploadPhoto } from './support/owner.ts';
import type { Owner } from './support/owner.ts';
import { startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';

type Json = Record<string, unknown>;

/** A change shows on every node within 2 s; a busy machine takes longer, and a cached card a minute. */
const PROPAGATION = { timeout: 20_000, interval: 5 };
/** The preview picture is rendered again. */
const RENDERED = { timeout: 20_000, interval: 20 };
const LEAD = { name: 'Ravi', mobile: '1', email: 'ravi@example.com', companyName: 'Rao' };

const get = (url: string, authorization: string) => fetch(url, { headers: { authorization } });

// server/command/admin/commands.test.ts has the commands on both databases.
describe.skipIf(inject('postgresUrl') === '')('admin command while two nodes run', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-admin-'));
  let testDatabase: Awaited<ReturnType<typeof openTestPostgres>>;
  let environment: Record<string, string>;
  let nodes: RunningServer[];
  let node: RunningServer;
  let owner: Owner;
  let photo: string;

  const resetLimits = () => testDatabase.database.run('DELETE FROM counters');
  const admin = async (...args: string[]) => {
    const { stdout, stderr } = await runAdmin(environment, ...args);
    return (args.includes('--json') ? JSON.parse(stdout) : stdout || stderr) as unknown;
  };
  async function post(path: string, body: Json, sessionToken = '') {
    const headers = { authorization: sessionToken, 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${node.origin}/api${path}`, init);
    const { error, message } = (await response.json()) as Json;
    return [response.status, error, message];
  }
  /** The different statuses of paths on all nodes, such as '200' or '200,410'. */
  const statusesOf = async (...paths: string[]) => {
    const urls = nodes.flatMap(({ origin }) => paths.map((path) => origin + path));
    const statuses = await Promise.all(urls.map(async (url) => (await fetch(url)).status));
    return [...new Set(statuses)].join();
  };
  const publicStatuses = () => {
    const card = `/user/${owner._id}`;
    return statusesOf(card, `/api${card}`, `${card}/contact.vcf`, `${card}/preview.jpg`, photo);
  };
  const tryCode = (phone: string) => post('/otp/send', { appId: 'tessera', phone });

  beforeAll(async () => {
    testDatabase = await openTestPostgres();
    // The nodes share the folder of photos.
    environment = { DATA_DIR: dataDir, DATABASE_URL: testDatabase.url };
    nodes = await Promise.all([startServer(environment), startServer(environment)]);
    [node] = nodes as [RunningServer];
    owner = await createOwner(node, '9876543210', FULL_CARD);
    photo = await uploadPhoto(node, owner);
    await createOwner(node, '9876543211', { name: 'Émile' });
    await post('/profile/addContact', { userID: owner._id, contact: LEAD });
  });
  afterAll(async () => {
    await Promise.all(nodes.map(({ stop }) => stop()));
    await testDatabase.dispose();
    rmSync(dataDir, { recursive: true, force: true });
  });

  test('admin stats, show: count and show what the database contains', async () => {
    const counts = { users: 2, cards: 2, photos: 1, contacts: 1, blocked: 0, sessions: 2 };
    const others = { invitations: 0, bytes: expect.any(Number) as number };
    expect(await admin('stats', '--json')).toEqual({ ...counts, ...others });
    const shown = await admin('show', `/user/${owner._id}`, '--contacts', '--json');
    expect(shown).toMatchObject({ ...FULL_CARD, profilePhoto: photo, contactList: [LEAD] });
    const text = (await runAdmin(environment, 'show', owner._id)).stdout;
    expect(text).toContain(`\nAbout me: ${FULL_CARD.bio.replace('\n', ' ')}\n`);
  });

  test('admin block: the card is 410 on every node, its owner cannot save, and the phone gets no code', async () => {
    expect(await publicStatuses()).toBe('200');
    await resetLimits();
    const challenge = await sendCode(node, '9876543210');
    const { token } = await sendRequest<{ token: string }>(node, '/otp/verify', {
      body: { challenge, code: await node.codeFor('+919876543210') },
    });
    const blocked = `The card of user ${owner._id} is blocked.\n`;
    expect(await admin('block', owner._id, '--reason', 'spam')).toBe(blocked);
    await vi.waitUntil(async () => (await publicStatuses()) === '410', PROPAGATION);
    const page = await (await fetch(`${node.origin}/user/${owner._id}`)).text();
    expect(page).toContain('<h1>This card is not available</h1>');
    expect(page.match(/og:|description|Asha|preview/g)).toBe(null);
    const read = sendRequest(node, `/user/${owner._id}`);
    await expect(read).rejects.toThrow('"message":"This card is not available."');
    const tag = `"${photo.split('/').pop() ?? ''}"`;
    const known = await fetch(node.origin + photo, { headers: { 'if-none-match': tag } });
    expect(known.status).toBe(410);

    const save = (card: Json) => post(`/user/updateUser/${owner._id}`, card, owner.sessionToken);
    const notSaved = "The operator has blocked this card, so this wasn't saved.";
    expect(await save({ name: 'Back' })).toEqual([410, 'card_blocked', notSaved]);
    const late = { userID: owner._id, contact: { ...LEAD, name: 'Late' } };
    expect((await post('/profile/addContact', late))[0]).toBe(400);
    const message = "You can't sign in with this number: the operator has blocked its card.";
    const signIn = await get(`${node.origin}/api/user/authenticate/phone`, token);
    expect([signIn.status, await signIn.json()]).toMatchObject([410, { message }]);
    await resetLimits();
    expect(await tryCode('+91 98765-43210')).toEqual([410, 'card_blocked', message]);

    expect(await admin('unblock', owner._id)).toBe(blocked.replace('blocked', 'visible again'));
    await vi.waitUntil(async () => (await publicStatuses()) === '200', RENDERED);
    const shown = await sendRequest<Json>(node, `/user/${owner._id}`);
    expect(shown).toMatchObject({ name: FULL_CARD.name, profilePhoto: photo });
    expect((await save({}))[0]).toBe(200);
  });

  test('admin unlock: ends the lock of a phone after wrong codes', async () => {
    const phone = '+919876543212';
    for (let round = 1; round <= 2; round += 1) {
      await testDatabase.database.run("DELETE FROM counters WHERE key LIKE 'otp:send:%'");
      const challenge = await sendCode(node, phone);
      const code = (await node.codeFor(phone)) === '000000' ? '000001' : '000000';
      for (let attempt = 1; attempt <= 5; attempt += 1)
        await post('/otp/verify', { challenge, code });
    }
    expect((await tryCode(phone))[2]).toContain('This number is locked');
    expect(await admin('unlock', '98765 43212')).toContain('no longer count');
    // Only the pause between two codes is left.
    expect((await tryCode(phone))[2]).toContain('before you request another code');
  });

  test('admin photos --check: fails where a file is missing', async () => {
    const file = readdirSync(join(dataDir, 'photos')).find((name) => name.includes('-448.')) ?? '';
    rmSync(join(dataDir, 'photos', file));
    const { code, stdout } = await runAdmin(environment, 'photos', '--check');
    const found = `Cards with pictures: 1\nFiles: 5\nMissing picture files:\n${file}\nPicture files without a card:\nnone\n`;
    expect([code, stdout]).toEqual([1, found]);
  });

  test('admin remove: nothing of the user is left on any node', async () => {
    const second = await createOwner(node, '9876543214', FULL_CARD);
    const removed = second._id;
    const paths = [`/user/${removed}`, `/user/${removed}/contact.vcf`];
    paths.push(await uploadPhoto(node, second));
    expect(await statusesOf(...paths)).toBe('200');
    const reason = 'her request of 2026-11-20, 9876543214';
    const removal = `User ${removed} and everything that was stored about the user are removed.\n`;
    expect(await admin('remove', removed, '--yes', '--reason', reason)).toBe(removal);
    await vi.waitUntil(async () => (await statusesOf(...paths)) === '404', PROPAGATION);
    expect(readdirSync(join(dataDir, 'photos')).join()).not.toContain(removed);
    expect(await admin('remove', removed)).toContain(`There is no user ${removed}.`);
    const change = `Actor: asha, Action: remove, Subject: ${removed}, Reason: her request of 2026-11-20, [hidden]\n`;
    expect(await admin('audit')).toContain(change);
  });
});

describe('admin command on the embedded database', () => {
  test('admin command: works while the service is stopped, also after a crash, and in a second while it runs', async () => {
    const environment = { DATA_DIR: newFolder(), SUDO_USER: 'ravi' };
    const first = await startServer(environment);
    const { _id } = await createOwner(first, '9876543210', FULL_CARD);
    await first.stop('SIGKILL');
    const block = () => runAdmin(environment, 'block', _id, '--reason', 'spam');
    const { code, stdout, stderr } = await block();
    expect([code, stdout]).toEqual([0, `The card of user ${_id} is blocked.\n`]);
    expect(JSON.parse(stderr)).toMatchObject({ event: 'admin', actor: 'ravi' });

    const all = await runAdmin(environment, 'sessions', 'all', '--end');
    expect([all.code, all.stderr]).toEqual([1, expect.stringContaining('Add --yes')]);
    const next = await startServer(environment);
    const status = async () => (await fetch(`${next.origin}/user/${_id}`)).status;
    expect(await status()).toBe(410);
    expect((await runAdmin(environment, 'unblock', _id)).code).toBe(0);
    await vi.waitUntil(async () => (await status()) === 200, PROPAGATION);
    // A card that is requested all the time.
    await block();
    await vi.waitUntil(async () => (await status()) === 410, PROPAGATION);
    await next.stop();
  });

  test('admin command: names the problem where it cannot work', async () => {
    const DATA_DIR = newFolder();
    for (const [command, message] of [
      ['stats', `There is no database: ${join(DATA_DIR, 'tessera.sqlite')}. Set DATA_DIR `],
      ['nonsense', "unknown command 'nonsense'"],
      ['photos', "option '--check'"],
      ['block x', "option '--reason <text>'"],
    ] as const) {
      const { code, stderr } = await runAdmin({ DATA_DIR }, ...command.split(' '));
      expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
    }
    expect((await runAdmin({}, '--help')).stdout).toContain('find [options] <phone|id|link|name>');
  });
});
