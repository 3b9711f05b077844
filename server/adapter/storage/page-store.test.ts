import {
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { removeUser } from '#server/adapter/remove-user.ts';
import { readSettings } from '#server/settings/settings.ts';
import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { newFolder } from '#tests/support/folder.ts';
import { silentLog } from '#tests/support/log.ts';

import { openPageStore } from './page-folder.ts';

const CARD = { name: 'Asha Rao', bio: 'Houses that keep cool.', phone: '+91 98765 43210' };
const SETTINGS = {
  PUBLIC_URL: 'https://cards.example',
  LANGUAGES: 'ta',
  CARD_EXTRAS: 'all',
  CARD_CACHE_MB: '1',
};

const { database, testApp } = useTestApp(undefined, { environment: SETTINGS });
const owner = useOwner(testApp);
let dataDir: string;

beforeEach(async () => {
  dataDir = newFolder();
  await owner.post('user/updateUser', CARD);
});

/** Starts a node on the same folder as the one before, with nothing in memory. */
async function start(
  { build = 'a build', ...own }: Readonly<Record<string, string>> = {},
  checked: Database = database,
) {
  const environment = { ...SETTINGS, ...own };
  const settings = readSettings({ DATA_DIR: dataDir, ...environment });
  const pages = await openPageStore(settings, { database: checked, log: silentLog, build });
  const node = buildTestApp(database, { environment, dependencies: pages ? { pages } : {} });
  const read = (encoding = 'identity', headers = {}) =>
    owner.page('', {
      on: node,
      headers: { 'accept-encoding': encoding, 'accept-language': 'ta', ...headers },
    });
  const stop = () => node.app.responses.close();
  onTestFinished(stop);
  return { ...node, read, stop };
}

/** Returns the path of the file that has the pages. */
function pageFile(): string {
  const name = readdirSync(join(dataDir, 'cache')).find((one) => /^\w{64}$/.test(one));
  return join(dataDir, 'cache', name ?? 'none');
}

function isOnDisk(): boolean {
  const bytes = readFileSync(pageFile());
  return !bytes.equals(Buffer.alloc(bytes.length));
}

/** Renders the card on a node, which then stops. */
async function keepPage() {
  const node = await start();
  const page = await node.read('br');
  await node.stop();
  expect(isOnDisk()).toBe(true);
  return page;
}

const READ = { stored: 0, read: 1, made: 0 };
const MADE = { stored: 0, read: 0, made: 1 };

/** Reads the card on a new node, which then stops. */
async function readOnce(settings = {}) {
  const node = await start(settings);
  const page = await node.read('br');
  const { counts } = node.app.responses;
  await node.stop();
  const isPage = page.headers['content-encoding'] === 'br';
  return { ...page, counts, text: isPage ? String(brotliDecompressSync(page.rawPayload)) : '' };
}

test('page store: after a restart a page is read and not rendered, the same in every encoding', async () => {
  const { rawPayload, headers } = await keepPage();
  const node = await start();
  const again = await node.read('br');
  expect([again.rawPayload, again.headers['etag']]).toEqual([rawPayload, headers['etag']]);
  const text = brotliDecompressSync(rawPayload);
  expect(gunzipSync((await node.read('gzip')).rawPayload)).toEqual(text);
  expect((await node.read()).rawPayload).toEqual(text);
  expect((await node.read('br', { 'if-none-match': headers['etag'] })).statusCode).toBe(304);
  expect(node.app.responses.counts).toMatchObject({ read: 1, made: 0 });
});

test('page store: a page that is compressed as a whole is kept too', async () => {
  const bio = Array.from({ length: 180 }, (_, index) => String.fromCodePoint(0x4e00 + 7 * index));
  await owner.post('user/updateUser', { bio: bio.join('') });
  const { rawPayload } = await keepPage();
  const node = await start();
  expect((await node.read('br')).rawPayload).toEqual(rawPayload);
  expect(node.app.responses.counts).toEqual(READ);
});

test.each([
  ['a save', 'user/updateUser', { bio: 'Another text.' }],
  ['a change of palette', 'user/:id/appearance', { palette: 'own', hue: 20, swatch: null }],
  ['a translation', 'user/:id/translations', { translations: [{ language: 'ta', name: 'ஆஷா' }] }],
  ['an extra field', 'user/:id/extras', { email: 'home@example.com' }],
])(
  'page store: after %s, nobody gets the earlier page, even if the node was away',
  async (_change, path, body) => {
    const { headers } = await keepPage();
    const change = async (on = testApp) => {
      expect((await owner.post(path, body, { on })).statusCode).toBe(200);
    };
    await change();
    const next = await readOnce();
    expect([next.counts, next.headers['etag'] === headers['etag']]).toEqual([MADE, false]);
    const node = await start();
    await change(node);
    await node.stop();
    // The earlier page may contain what the owner has removed.
    expect(isOnDisk()).toBe(false);
  },
);

test.each([
  ['a new build', { build: 'the next build' }, CARD.bio],
  ['another PUBLIC_URL', { PUBLIC_URL: 'https://other.example' }, 'https://other.example/user/'],
  ['another PRODUCT_NAME', { PRODUCT_NAME: 'Visitenkarte' }, 'Visitenkarte'],
])(
  'page store: after %s, no earlier page is read, and the earlier file is deleted',
  async (_change, settings, text) => {
    await keepPage();
    const before = pageFile();
    const next = await readOnce(settings);
    expect([next.counts, next.text]).toEqual([MADE, expect.stringContaining(text)]);
    expect(existsSync(before)).toBe(false);
  },
);

test('page store: NODE_NAME may differ at each start, as in a container', async () => {
  await keepPage();
  expect((await readOnce({ NODE_NAME: 'another' })).counts).toEqual(READ);
});

const block = () => database.run(sql`UPDATE users SET blocked_at = 1`);
const remove = () => removeUser(testApp, { userId: owner._id });

const ENDS = [
  ['blocked', block, 410],
  ['removed', remove, 404],
] as const;

test.each(ENDS)(
  'page store: the page of a %s card is overwritten at once',
  async (_state, end, status) => {
    await keepPage();
    const node = await start();
    await end();
    node.app.responses.dropAll();
    await expect.poll(isOnDisk).toBe(false);
    expect((await node.read()).statusCode).toBe(status);
  },
);

test.each(ENDS)(
  'page store: a node that was away overwrites the page of a %s card before it serves',
  async (_state, end) => {
    await keepPage();
    await end();
    await (await start()).stop();
    expect(isOnDisk()).toBe(false);
  },
);

test('page store: if the database is not available, the pages stay, and the next start checks them', async () => {
  await keepPage();
  await remove();
  const unavailable = { ...database, all: () => Promise.reject(new Error('away')) };
  await (await start({}, unavailable)).stop();
  expect(isOnDisk()).toBe(true);
  await (await start()).stop();
  expect(isOnDisk()).toBe(false);
});

test('page store: of two nodes on one folder, one keeps pages, and a lost folder does not fail its stop', async () => {
  await keepPage();
  const nodes = [await start(), await start()];
  for (const node of nodes) expect((await node.read('br')).statusCode).toBe(200);
  expect(nodes.map((node) => node.app.responses.counts)).toEqual([READ, MADE]);
  rmSync(join(dataDir, 'cache'), { recursive: true });
  for (const node of nodes) await node.stop();
});

test('page store: after a crash, nobody knows whose pages the file has, so it is removed', async () => {
  await keepPage();
  rmSync(`${pageFile()}.heads`);
  await (await start()).stop();
  expect(isOnDisk()).toBe(false);
});

test('page store: if the list of heads is cut short, the pages count as lost', async () => {
  await keepPage();
  truncateSync(`${pageFile()}.heads`, 1000);
  expect((await readOnce()).counts).toEqual(MADE);
});

test('page store: half a page is rendered again', async () => {
  await keepPage();
  const bytes = readFileSync(pageFile());
  bytes.fill(0, bytes.length - 50);
  writeFileSync(pageFile(), bytes);
  const next = await readOnce();
  expect([next.counts, next.text]).toEqual([MADE, expect.stringContaining(CARD.bio)]);
  expect((await readOnce()).counts).toEqual(READ);
});

test('page store: a folder that cannot be made, or a disk that fails, only switches the store off', async () => {
  const folder = dataDir;
  dataDir = join(folder, 'a file');
  writeFileSync(dataDir, '');
  expect((await readOnce()).text).toContain(CARD.bio);
  dataDir = folder;
  await keepPage();
  const node = await start();
  const probe = await open(pageFile());
  const error = Object.assign(new Error('EIO: i/o error, read'), { code: 'EIO' });
  const prototype = Object.getPrototypeOf(probe) as typeof probe;
  const read = vi.spyOn(prototype, 'read').mockRejectedValue(error);
  onTestFinished(async () => {
    read.mockRestore();
    await probe.close();
  });
  expect((await node.read()).body).toContain(CARD.bio);
  // Nothing would overwrite the page of a card that is removed later.
  await expect.poll(() => existsSync(pageFile())).toBe(false);
});
