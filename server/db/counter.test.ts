import { afterEach, beforeEach, expect, test } from 'vitest';

import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

import { incrementCounters, incrementCounter, deleteCounter } from './counter.ts';

const rateLimit = { key: 'door', max: 3, windowMs: MINUTE_MS };

onEachDatabase((open) => {
  let opened: TestDatabase;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.dispose());

  const count = (now: number) => incrementCounter(opened.database, rateLimit, now);

  test('counter: allows the limit in a window, then nothing until it ends', async () => {
    const answers = [];
    for (const now of [0, 10, 20, 30, MINUTE_MS - 1, MINUTE_MS]) answers.push(await count(now));
    expect(answers).toEqual([null, null, null, MINUTE_MS - 30, 1, null]);
  });

  test('counter: counts concurrent requests exactly', async () => {
    const answers = await Promise.all(Array.from({ length: 60 }, () => count(0)));
    expect(answers.filter((answer) => answer === null)).toHaveLength(3);
  });

  test('counter: a window that ends further ahead than its length is over', async () => {
    const later = 30 * DAY_MS;
    for (let at = 0; at < 4; at += 1) await count(later);
    expect(await count(0)).toBe(null);
    expect(await opened.database.all('SELECT count, expires_at FROM counters')).toEqual([
      { count: 1, expires_at: MINUTE_MS },
    ]);
  });

  test('counter: requests and nodes whose clocks differ by seconds share a window', async () => {
    const answers = [];
    for (const now of [5000, 0, 4000, 1000]) answers.push(await count(now));
    expect(answers).toEqual([null, null, null, MINUTE_MS + 4000]);
  });

  test('counter: counts several keys in one statement', async () => {
    const other = { key: 'window', max: 1, windowMs: 2 * MINUTE_MS };
    const both = () => incrementCounters(opened.database, [rateLimit, other], 0);
    expect([await both(), await both()]).toEqual([new Map(), new Map([['window', 2 * MINUTE_MS]])]);
    await both();
    expect(await both()).toEqual(
      new Map([
        ['door', MINUTE_MS],
        ['window', 2 * MINUTE_MS],
      ]),
    );
  });

  test('counter: a rollback restores the count', async () => {
    const failed = opened.database.transaction(async (inside) => {
      await incrementCounters(inside, [{ ...rateLimit, max: 0 }], 0);
      throw new Error('rollback');
    });
    await expect(failed).rejects.toThrow('rollback');
    expect(await opened.database.all('SELECT key FROM counters')).toEqual([]);
  });

  test('counter: a reset key starts again at zero', async () => {
    for (let at = 0; at < 4; at += 1) await count(0);
    await deleteCounter(opened.database, 'door');
    expect(await count(0)).toBe(null);
  });
});
