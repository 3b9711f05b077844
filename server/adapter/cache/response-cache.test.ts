import { randomBytes } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

import { beforeEach, expect, test, vi } from 'vitest';

import { FinishedResponse } from '#server/http/finished-response.ts';

import { createCompressor } from './compressor.ts';
import { lazy } from './lazy.ts';
import { ResponseCache } from './response-cache.ts';

const SIZE_BYTES_MAX = 64 * 1024 * 1024;
/** The bytes that the cache counts for an entry in addition to its response. */
const ENTRY_BYTES = 1024;
const OF_ONE = { userId: 'one', path: '/user/one' };
const CARD = { ...OF_ONE, origin: 'https://cards.example', route: '/user/:userID' };

let now: number;
let compressions: { text: Buffer; finish: (body: Buffer) => void; fail: (error: Error) => void }[];
let cache: ResponseCache;

beforeEach(() => {
  now = 0;
  compressions = [];
  const compress = (text: Buffer) =>
    new Promise<Buffer>((finish, fail) => compressions.push({ text, finish, fail }));
  cache = new ResponseCache({ now: () => now }, { compress });
});

const responseOf = (type: string, body: string | Buffer) =>
  new FinishedResponse({ body, headers: { 'content-type': type } });
const pageOf = (body: string) => responseOf('text/html', body);
const pictureOf = (length: number) => responseOf('image/png', Buffer.alloc(length));
const cardOf = (userId: string) => ({ ...CARD, userId, path: `/user/${userId}` });
const ofHost = (index: number) => ({ ...CARD, origin: `https://host-${index}.example` });
type Key = Parameters<ResponseCache['getOrRender']>[0];
const store = (key: Key, page: FinishedResponse) => cache.getOrRender(key, async () => page);
/** Starts a render; the returned function finishes it and returns the response. */
const startRender = (key: Key) => {
  let finish: (page: FinishedResponse) => void;
  const rendering = new Promise<FinishedResponse>((resolve) => (finish = resolve));
  const response = cache.getOrRender(key, () => rendering);
  return (page: FinishedResponse) => (finish(page), response);
};
const isStored = ({ path, origin }: typeof CARD) => cache.lookup(path, origin) !== null;

test('response cache: a change during a render wins, and requests after it, a failure or an unknown user render again', async () => {
  const failed = cache.getOrRender(CARD, () => Promise.reject(new Error('the database is down')));
  await expect(failed).rejects.toThrow('the database is down');
  expect(await cache.getOrRender(CARD, async () => null)).toBe(null);
  const finishEarly = startRender(CARD);
  cache.drop('one');
  const finishLate = startRender(CARD);
  const early = pageOf('before');
  expect(await finishEarly(early)).toBe(early);
  expect([isStored(CARD), cache.sizeBytes]).toEqual([false, 0]);
  const page = pageOf('after');
  expect(await finishLate(page)).toBe(page);
  expect(await cache.getOrRender(CARD, async () => null)).toBe(page);
  expect(cache.sizeBytes).toBe(page.sizeBytes + ENTRY_BYTES);
});

test('response cache: a change of one user drops all paths of that user and no other; dropAll all, also what is rendered', async () => {
  const [file, two] = [{ ...CARD, origin: '', path: '/user/one/preview.jpg?v=1' }, cardOf('two')];
  const own = [CARD, { ...CARD, origin: 'https://other.example' }, file];
  for (const key of [...own, two]) await store(key, pageOf('x'));
  cache.drop('one');
  expect([...own, two].filter(isStored)).toEqual([two]);
  expect(cache.sizeBytes).toBe(pageOf('x').sizeBytes + ENTRY_BYTES);
  const finish = startRender(CARD);
  cache.dropAll();
  await finish(pageOf('one'));
  expect([isStored(CARD), isStored(two), cache.sizeBytes]).toEqual([false, false, 0]);
});

test('response cache: a ticket is void after a change of its user or of all, also if 10,000 others have changed since', () => {
  const [one, two, ofNobody] = ['one', 'two', null].map((userId) => cache.openTicket(userId));
  const areVoid = () => [one, two, ofNobody].map((ticket) => ticket && cache.isVoid(ticket));
  cache.drop('one');
  expect(areVoid()).toEqual([true, false, false]);
  const later = cache.openTicket('one');
  expect(cache.isVoid(later)).toBe(false);
  for (let count = 0; count < 10_000; count += 1) cache.drop(`another ${count}`);
  expect(areVoid()[0]).toBe(true);
  const newest = cache.openTicket('one');
  expect(cache.isVoid(newest)).toBe(false);
  cache.dropAll();
  expect([...areVoid(), cache.isVoid(newest)]).toEqual([true, true, true, true]);
});

test('response cache: stores 32 responses of a user at most, the newest', async () => {
  const page = pageOf('card');
  await store(cardOf('two'), page);
  for (let index = 0; index < 1000; index += 1) await store(ofHost(index), page);
  expect(cache.sizeBytes).toBe(33 * (page.sizeBytes + ENTRY_BYTES));
  const kept = [ofHost(968), ofHost(999), cardOf('two')];
  expect([ofHost(967), ...kept].filter(isStored)).toEqual(kept);
});

test('response cache: memory is bounded, the least recently used are evicted, and no pending render; what is larger is not stored', async () => {
  const finishSlow = startRender(cardOf('slow'));
  const large = pictureOf(6 * 1024 * 1024);
  await store(CARD, large);
  for (let index = 0; index < 12; index += 1) {
    await store(cardOf(`user-${index}`), large);
    await store(CARD, large);
  }
  await finishSlow(pageOf('slow'));
  const huge = pictureOf(SIZE_BYTES_MAX);
  expect(await store(cardOf('huge'), huge)).toBe(huge);
  expect(cache.sizeBytes).toBeLessThanOrEqual(SIZE_BYTES_MAX);
  const kept = [CARD, cardOf('user-11'), cardOf('slow')];
  expect([...kept, cardOf('user-0'), cardOf('huge')].filter(isStored)).toEqual(kept);
  // A path that ends with another path is not another origin of it.
  await store({ ...CARD, origin: '', path: '/api/user/one' }, pageOf('profile'));
  expect(isStored({ ...CARD, origin: '/api', path: '/user/one' })).toBe(false);
});

test('response cache: a response is valid for its lifetime, then rendered again from the stale one', async () => {
  const [first, second] = [pageOf('first'), pageOf('second')];
  await store(CARD, first);
  now = 1000;
  expect(isStored(CARD)).toBe(true);
  // Holds for what is stored.
  cache.setLifetime(1000);
  expect(isStored(CARD)).toBe(false);
  now = 999;
  expect(await store(CARD, second)).toBe(first);
  now = 1000;
  const stale: unknown[] = [];
  const rendered = await cache.getOrRender(CARD, async (expired) => {
    stale.push(expired);
    return second;
  });
  expect([stale, rendered]).toEqual([[first], second]);
  expect(await store(CARD, first)).toBe(second);
  // From the future.
  now = 0;
  expect(isStored(CARD)).toBe(false);
});

const read = (times: number) => {
  for (let count = 0; count < times; count += 1) cache.lookup(CARD.path, CARD.origin);
};

test('response cache: a page is compressed better from its 20th read on, once, and has the same tag', async () => {
  const page = pageOf(Array.from({ length: 3000 }, (_, row) => `<li>${row * row}</li>`).join(''));
  await store(CARD, page);
  const before = page.encode('br');
  read(18);
  expect(compressions).toEqual([]);
  read(1);
  expect(compressions.map(({ text }) => text)).toEqual([page.body]);
  // Not again while it is compressed.
  read(100);
  expect(compressions).toHaveLength(1);
  // Failed: it is tried again after 20 more.
  compressions[0]?.fail(new Error('full'));
  await new Promise(setImmediate);
  read(20);
  compressions[1]?.finish(brotliCompressSync(page.body));
  await new Promise(setImmediate);
  const after = page.encode('br');
  expect([after.etag, after.body.length < before.body.length]).toEqual([before.etag, true]);
  expect(brotliDecompressSync(after.body)).toEqual(brotliDecompressSync(before.body));
  read(100);
  expect(compressions).toHaveLength(2);
});

test('response cache: a change during the better compression wins, and a small page has none', async () => {
  const old = pageOf('old '.repeat(3000) + randomBytes(2000).toString('hex'));
  await store(CARD, old);
  read(19);
  cache.drop('one');
  const page = pageOf('new '.repeat(3000) + randomBytes(2000).toString('hex'));
  await store(CARD, page);
  const before = page.encode('br').body;
  compressions[0]?.finish(brotliCompressSync(old.body));
  await new Promise(setImmediate);
  expect(cache.lookup(CARD.path, CARD.origin)?.response.encode('br').body).toEqual(before);
  cache.drop('one');
  await store(CARD, pageOf('small'));
  read(60);
  expect(compressions).toHaveLength(1);
});

test('compressor: compresses a text in its own process, and nothing after close', async () => {
  const compressor = createCompressor();
  const text = Buffer.from('<p>card</p>'.repeat(1000));
  expect(brotliDecompressSync(await compressor.compress(text))).toEqual(text);
  compressor.close();
  await expect(compressor.compress(text)).rejects.toThrow('stopping');
});

test('lazy: creates the value once, and again after a failure', async () => {
  const create = vi.fn<() => Promise<string>>().mockResolvedValue('value');
  create.mockRejectedValueOnce(new Error('failed'));
  const value = lazy(create);
  await expect(value()).rejects.toThrow('failed');
  expect(await Promise.all([value(), value()])).toEqual(['value', 'value']);
  expect(create).toHaveBeenCalledTimes(2);
});
