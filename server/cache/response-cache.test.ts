import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';

import { beforeEach, expect, test } from 'vitest';

import { FinishedResponse } from '#server/http/finished-response.ts';

import { ResponseCache } from './response-cache.ts';

const SIZE_BYTES_MAX = 64 * 1024 * 1024;
/** The bytes that the cache counts for an entry in addition to its response. */
const ENTRY_BYTES = 1024;
const CARD = {
  userId: 'one',
  path: '/user/one',
  origin: 'https://cards.example',
  route: '/user/:userID',
};

interface Compression {
  readonly text: Buffer;
  readonly resolve: (body: Buffer) => void;
  readonly reject: (error: Error) => void;
}

let now: number;
let compressions: Compression[];
let cache: ResponseCache;

beforeEach(() => {
  now = 0;
  compressions = [];
  const compress = (text: Buffer) =>
    new Promise<Buffer>((resolve, reject) => compressions.push({ text, resolve, reject }));
  cache = new ResponseCache({ now: () => now }, { compress });
});

/** Returns a render that the test finishes or fails. */
function controlledRender() {
  const control = new EventEmitter();
  const page = new Promise<FinishedResponse | null>((resolve, reject) => {
    control.once('finish', resolve);
    control.once('fail', reject);
  });
  return {
    render: () => page,
    finish: (rendered: FinishedResponse | null) => control.emit('finish', rendered),
    fail: (error: Error) => control.emit('fail', error),
  };
}

const pageOf = (body: string) =>
  new FinishedResponse({ body, headers: { 'content-type': 'text/html' } });
const pictureOf = (length: number) =>
  new FinishedResponse({ body: Buffer.alloc(length), headers: { 'content-type': 'image/png' } });
const cardOf = (userId: string) => ({ ...CARD, userId, path: `/user/${userId}` });
const store = (key: Parameters<ResponseCache['getOrRender']>[0], page: FinishedResponse) =>
  cache.getOrRender(key, async () => page);
const isStored = ({ path, origin }: typeof CARD) => cache.lookup(path, origin) !== null;

test('response cache: a change during a render wins, and requests after it render again', async () => {
  const before = controlledRender();
  const early = cache.getOrRender(CARD, before.render);
  cache.drop('one');
  const after = controlledRender();
  const late = cache.getOrRender(CARD, after.render);
  before.finish(pageOf('before'));
  await early;
  expect(isStored(CARD)).toBe(false);
  const page = pageOf('after');
  after.finish(page);
  expect(await late).toBe(page);
  expect(await cache.getOrRender(CARD, async () => null)).toBe(page);
});

test('response cache: a dropped render takes no memory, before and after it ends', async () => {
  const other = { ...CARD, path: '/user/one/contact.vcf' };
  const pending = [CARD, other].map((key) => {
    const control = controlledRender();
    return { ...control, request: cache.getOrRender(key, control.render) };
  });
  expect(cache.sizeBytes).toBe(0);
  cache.drop('one');
  for (const { finish } of pending) finish(pageOf('before'));
  await Promise.all(pending.map(({ request }) => request));
  expect(cache.sizeBytes).toBe(0);
  const page = pageOf('after');
  await store(CARD, page);
  expect(cache.sizeBytes).toBe(page.sizeBytes + ENTRY_BYTES);
});

test('response cache: a change of one user drops all paths of that user and no other', async () => {
  const other = { ...CARD, origin: 'https://other.example' };
  const file = { ...CARD, origin: '', path: '/user/one/contact.vcf' };
  const picture = { ...CARD, origin: '', path: '/user/one/preview.jpg?v=1' };
  const stranger = cardOf('two');
  for (const key of [CARD, other, file, picture, stranger]) await store(key, pageOf('x'));
  cache.drop('one');
  expect([CARD, other, file, picture, stranger].map(isStored)).toEqual([
    false,
    false,
    false,
    false,
    true,
  ]);
  expect(cache.sizeBytes).toBe(pageOf('x').sizeBytes + ENTRY_BYTES);
});

test('response cache: dropAll drops stored responses and pending renders', async () => {
  await store(cardOf('two'), pageOf('two'));
  const pending = controlledRender();
  const early = cache.getOrRender(CARD, pending.render);
  cache.dropAll();
  pending.finish(pageOf('one'));
  await early;
  expect([isStored(CARD), isStored(cardOf('two')), cache.sizeBytes]).toEqual([false, false, 0]);
});

test('response cache: a failed render and an unknown user are not stored', async () => {
  const failed = controlledRender();
  const request = cache.getOrRender(CARD, failed.render);
  failed.fail(new Error('the database is down'));
  await expect(request).rejects.toThrow('the database is down');
  expect(await cache.getOrRender(CARD, async () => null)).toBe(null);
  const page = pageOf('card');
  expect(await store(CARD, page)).toBe(page);
  expect(cache.sizeBytes).toBe(page.sizeBytes + ENTRY_BYTES);
});

test('response cache: stores 32 responses of a user at most, the newest', async () => {
  const page = pageOf('card');
  await store(cardOf('two'), page);
  for (let index = 0; index < 1000; index += 1) {
    await store({ ...CARD, origin: `https://host-${index}.example` }, page);
  }
  expect(cache.sizeBytes).toBe(33 * (page.sizeBytes + ENTRY_BYTES));
  const isHostStored = (index: number) =>
    isStored({ ...CARD, origin: `https://host-${index}.example` });
  expect([967, 968, 999].map(isHostStored)).toEqual([false, true, true]);
  expect(isStored(cardOf('two'))).toBe(true);
});

test('response cache: a path that ends with another path is not another origin of it', async () => {
  await store({ ...CARD, origin: '', path: '/api/user/one' }, pageOf('profile'));
  expect(isStored({ ...CARD, origin: '/api', path: '/user/one' })).toBe(false);
});

test('response cache: memory is bounded, the least recently used are evicted', async () => {
  const large = pictureOf(6 * 1024 * 1024);
  const userIds = Array.from({ length: 12 }, (_, index) => `user-${index}`);
  await store(CARD, large);
  for (const userId of userIds) {
    await store(cardOf(userId), large);
    await store(CARD, large);
  }
  expect(cache.sizeBytes).toBeLessThanOrEqual(SIZE_BYTES_MAX);
  expect([isStored(CARD), isStored(cardOf('user-0')), isStored(cardOf('user-11'))]).toEqual([
    true,
    false,
    true,
  ]);
});

test('response cache: a response larger than the cache is returned and not stored', async () => {
  const huge = pictureOf(SIZE_BYTES_MAX);
  expect(await store(CARD, huge)).toBe(huge);
  expect([isStored(CARD), cache.sizeBytes]).toEqual([false, 0]);
});

test('response cache: eviction does not affect a pending render', async () => {
  const { render, finish } = controlledRender();
  const request = cache.getOrRender(CARD, render);
  const large = pictureOf(8 * 1024 * 1024);
  for (let index = 0; index < 10; index += 1) await store(cardOf(`user-${index}`), large);
  finish(pageOf('slow'));
  await request;
  expect(isStored(CARD)).toBe(true);
});

test('response cache: a response is valid for its lifetime, then rendered again from the stale one', async () => {
  const [first, second] = [pageOf('first'), pageOf('second')];
  cache.setLifetime(1000);
  await store(CARD, first);
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
});

test('response cache: a response with a time in the future is not valid', async () => {
  cache.setLifetime(1000);
  now = 50_000;
  await store(CARD, pageOf('card'));
  expect(isStored(CARD)).toBe(true);
  now = 0;
  expect(isStored(CARD)).toBe(false);
});

test('response cache: a new lifetime holds for stored responses too', async () => {
  await store(CARD, pageOf('card'));
  now = 2000;
  expect(isStored(CARD)).toBe(true);
  cache.setLifetime(1000);
  expect(isStored(CARD)).toBe(false);
});

const best = (text: Buffer) => brotliCompressSync(text);
const read = (times: number) => {
  for (let count = 0; count < times; count += 1) cache.lookup(CARD.path, CARD.origin);
};
const bytesOf = (page: FinishedResponse) => page.encode('br').body.length;

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
  compressions[0]?.reject(new Error('full'));
  await new Promise(setImmediate);
  read(20);
  compressions[1]?.resolve(best(page.body));
  await new Promise(setImmediate);
  const after = page.encode('br');
  expect([after.etag, after.body.length < before.body.length]).toEqual([before.etag, true]);
  expect(brotliDecompressSync(after.body)).toEqual(brotliDecompressSync(before.body));
  read(100);
  expect(compressions).toHaveLength(2);
});

test('response cache: a change during the better compression wins', async () => {
  const old = pageOf('old '.repeat(3000) + randomBytes(2000).toString('hex'));
  await store(CARD, old);
  read(19);
  cache.drop('one');
  const page = pageOf('new '.repeat(3000) + randomBytes(2000).toString('hex'));
  await store(CARD, page);
  const size = bytesOf(page);
  compressions[0]?.resolve(best(old.body));
  await new Promise(setImmediate);
  const { body } = cache.lookup(CARD.path, CARD.origin)?.response.encode('br') ?? {};
  expect([body?.length, body && brotliDecompressSync(body)]).toEqual([size, page.body]);
});

test('response cache: a small page is not compressed again', async () => {
  await store(CARD, pageOf('small'));
  read(60);
  expect(compressions).toEqual([]);
});
