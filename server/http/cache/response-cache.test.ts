import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';

import { beforeEach, expect, test, vi } from 'vitest';

import { StoredResponse } from '#server/http/stored-response.ts';

import { ResponseCache } from './response-cache.ts';

const SIZE_MB = 64;
const SIZE_BYTES_MAX = SIZE_MB * 1024 * 1024;
/** The bytes that the cache counts for an entry in addition to its response. */
const ENTRY_BYTES = 1024;
const OF_ONE = { userId: 'one', path: '/user/one' };
const CARD = { ...OF_ONE, origin: 'https://cards.example', route: '/user/:userID' };

let now: number;
let cache: ResponseCache;

beforeEach(() => {
  now = 0;
  cache = new ResponseCache({ now: () => now }, SIZE_MB);
});

const responseOf = (type: string, body: string | Buffer) =>
  new StoredResponse({ body, headers: { 'content-type': type } });
const pageWith = (headers: object) =>
  new StoredResponse({ body: 'x', headers: { 'content-type': 'text/html', ...headers } });
const pageOf = (body: string) => responseOf('text/html', body);
const pictureOf = (length: number) => responseOf('image/png', Buffer.alloc(length));
const cardOf = (userId: string) => ({ ...CARD, userId, path: `/user/${userId}` });
const ofHost = (index: number) => ({ ...CARD, origin: `https://host-${index}.example` });
type Key = Parameters<ResponseCache['getOrRender']>[0];
const store = (key: Key, page: StoredResponse) => cache.getOrRender(key, async () => page);
/** Starts a render. The returned function finishes it and returns the response. */
const startRender = (key: Key) => {
  let finish: (page: StoredResponse) => void;
  const rendering = new Promise<StoredResponse>((resolve) => (finish = resolve));
  const response = cache.getOrRender(key, () => rendering);
  return (page: StoredResponse) => (finish(page), response);
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

test('response cache: a change while a page is compressed wins, and requests that wait meanwhile get one body', async () => {
  const page = pageOf(randomBytes(500_000).toString('base64'));
  const encode = vi.spyOn(page, 'encode');
  const [stored, waiting] = [store(CARD, page), store(CARD, pageOf('another'))];
  await setImmediate();
  expect(encode).toHaveBeenCalledOnce();
  cache.drop('one');
  expect(await Promise.all([stored, waiting])).toEqual([page, page]);
  expect([isStored(CARD), encode.mock.calls]).toEqual([false, [['br']]]);
});

test('response cache: a change of one user drops all paths of that user and no other; dropAll all, also what is rendered', async () => {
  const [file, two] = [{ ...CARD, origin: '', path: '/user/one/preview.jpg?v=1' }, cardOf('two')];
  const own = [CARD, { ...CARD, origin: 'https://other.example' }, file];
  const page = pageOf('x');
  for (const key of [...own, two]) await store(key, page);
  cache.drop('one');
  expect([...own, two].filter(isStored)).toEqual([two]);
  expect(cache.sizeBytes).toBe(page.sizeBytes + ENTRY_BYTES);
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

test('response cache: counts a response in the encoding of its first request', async () => {
  const text = '<p>card</p>'.repeat(1000);
  for (const encoding of ['identity', 'gzip', 'br'] as const) {
    const page = pageOf(text);
    await store({ ...CARD, path: `/${encoding}`, encoding }, page);
    const before = cache.sizeBytes;
    cache.drop('one');
    expect(before - ENTRY_BYTES).toBe(page.sizeBytes);
    expect(page.sizeBytes > text.length).toBe(encoding === 'identity');
  }
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
  // A path that ends with another path is not mistaken for that path with an origin.
  await store({ ...CARD, origin: '', path: '/api/user/one' }, pageOf('profile'));
  expect(isStored({ ...CARD, origin: '/api', path: '/user/one' })).toBe(false);
});

test('response cache: a response is valid for its lifetime, then rendered again from the stale one', async () => {
  const [first, second] = [pageOf('first'), pageOf('second')];
  await store(CARD, first);
  now = 1000;
  expect(isStored(CARD)).toBe(true);
  // The lifetime also applies to responses that are already stored.
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
  // The stored response is now from the future.
  now = 0;
  expect(isStored(CARD)).toBe(false);
});

test('response cache: what sets a cookie, is no-store, or answers an Authorization header is not stored; a call is', async () => {
  const noStore = { 'cache-control': 'private, no-store' };
  const answers: [key: object, headers: object, isKept: boolean][] = [
    [{}, {}, true],
    [{}, { 'set-cookie': 'a=b' }, false],
    [{ isApiCall: true }, { 'set-cookie': 'a=b' }, false],
    [{}, noStore, false],
    [{ isApiCall: true }, noStore, true],
    [{ isAuthorized: true }, {}, false],
  ];
  const kept: boolean[] = [];
  for (const [index, [more, headers]] of answers.entries()) {
    const key = { ...cardOf(`user${index}`), ...more };
    await store(key, pageWith(headers));
    kept.push(isStored(key));
  }
  expect(kept).toEqual(answers.map(([, , isKept]) => isKept));
});
