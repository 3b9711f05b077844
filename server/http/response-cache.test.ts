import { EventEmitter } from 'node:events';

import { expect, test } from 'vitest';

import { CardCache } from './response-cache.ts';
import { FinishedResponse } from '#server/http/finished-response.ts';

const CARD = { path: '/user/one', origin: 'https://cards.example', now: 0 };

/** A drawing that ends when it is told to. */
function drawing() {
  const told = new EventEmitter();
  const page = new Promise<FinishedResponse | null>((resolve, reject) => {
    told.once('finish', resolve);
    told.once('fail', reject);
  });
  return {
    draw: () => page,
    finish: (drawn: FinishedResponse | null) => told.emit('finish', drawn),
    fail: (error: Error) => told.emit('fail', error),
  };
}

const pageOf = (text: string) => new FinishedResponse(text, {});

test('many who ask at once wait for one drawing', async () => {
  const cache = new CardCache(Infinity);
  const { draw, finish } = drawing();
  let drawn = 0;
  const askers = Array.from({ length: 100 }, () =>
    cache.find(CARD, () => {
      drawn += 1;
      return draw();
    }),
  );
  const page = pageOf('card');
  finish(page);
  expect(new Set(await Promise.all(askers))).toEqual(new Set([page]));
  expect(drawn).toBe(1);
});

test('a change during a drawing wins: whoever asks after it gets a new drawing', async () => {
  const cache = new CardCache(Infinity);
  const before = drawing();
  const asked = cache.find(CARD, before.draw);
  cache.drop('one');
  const after = pageOf('after');
  expect(await cache.find(CARD, async () => after)).toBe(after);
  before.finish(pageOf('before'));
  await asked;
  expect(await cache.find(CARD, async () => null)).toBe(after);
});

test('a failed drawing and a user who does not exist are not kept', async () => {
  const cache = new CardCache(Infinity);
  const failed = drawing();
  const asked = cache.find(CARD, failed.draw);
  failed.fail(new Error('the database is down'));
  await expect(asked).rejects.toThrow('the database is down');
  expect(await cache.find(CARD, async () => null)).toBe(null);
  const page = pageOf('card');
  expect(await cache.find(CARD, async () => page)).toBe(page);
  expect(cache.sizeBytes).toBe(page.sizeBytes);
});

test('a card is drawn for each origin, for a few of them', async () => {
  const cache = new CardCache(Infinity);
  for (let at = 0; at < 1000; at += 1) {
    const origin = `https://host-${at}.example`;
    await cache.find({ ...CARD, origin }, async () => pageOf(origin));
  }
  expect(cache.sizeBytes).toBeLessThanOrEqual(4 * pageOf('https://host-999.example').sizeBytes);
});

test('memory is bounded, and what was asked for last stays', async () => {
  const cache = new CardCache(Infinity);
  const large = 'x'.repeat(4 * 1024 * 1024);
  for (const userId of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine']) {
    await cache.find({ ...CARD, path: `/user/${userId}` }, async () => pageOf(large));
    await cache.find(CARD, async () => pageOf(large));
  }
  for (const userId of ['ten', 'eleven', 'twelve']) {
    await cache.find({ ...CARD, path: `/user/${userId}` }, async () => pageOf(large));
  }
  expect(cache.sizeBytes).toBeLessThanOrEqual(64 * 1024 * 1024);
  const isKept = async (userId: string) =>
    (await cache.find({ ...CARD, path: `/user/${userId}` }, async () => null)) !== null;
  expect([await isKept('one'), await isKept('two')]).toEqual([true, false]);
});

test('a card that was just drawn under one more origin stays, before others', async () => {
  const cache = new CardCache(Infinity);
  const large = 'x'.repeat(5 * 1024 * 1024);
  const paths = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'];
  for (const path of paths) {
    await cache.find({ ...CARD, path }, async () => pageOf(large));
    cache.peek({ ...CARD, path });
  }
  const other = { ...CARD, path: 'one', origin: 'https://other.example' };
  const page = pageOf(large);
  await cache.find(other, async () => page);
  expect(cache.peek(other)).toBe(page);
  expect(cache.peek({ ...CARD, path: 'two' })).toBe(null);
});

test('a card that is still being drawn is not forgotten for others’ sake', async () => {
  const cache = new CardCache(Infinity);
  const { draw, finish } = drawing();
  const asked = cache.find({ ...CARD, path: 'slow' }, draw);
  const large = 'x'.repeat(8 * 1024 * 1024);
  for (const path of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight']) {
    await cache.find({ ...CARD, path }, async () => pageOf(large));
  }
  const page = pageOf('slow');
  finish(page);
  await asked;
  expect(cache.peek({ ...CARD, path: 'slow' })).toBe(page);
});

test('a card outlives its time nowhere', async () => {
  const cache = new CardCache(1000);
  const [first, second] = [pageOf('first'), pageOf('second')];
  expect(await cache.find(CARD, async () => first)).toBe(first);
  expect(await cache.find({ ...CARD, now: 999 }, async () => second)).toBe(first);
  expect(await cache.find({ ...CARD, now: 1000 }, async () => second)).toBe(second);
  expect(cache.sizeBytes).toBe(second.sizeBytes);
});
