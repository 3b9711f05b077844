import { beforeEach, expect, test } from 'vitest';

import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { onEachDatabase } from '#tests/support/database.ts';
import { words } from '#tests/support/words.ts';

import {
  decrementStatement,
  deleteCountersStatement,
  incrementStatement,
  rejectExceededStatement,
  resetStatement,
} from './counter.ts';
import type { RateLimit, WaitsMs } from './counter.ts';

const rateLimit = { key: 'first', max: 3, windowMs: MINUTE_MS };

const exceeded = (waits: WaitsMs) => new Error('exceeded', { cause: waits });

const waitsOf = (work: Promise<unknown>) =>
  work.then(
    (): WaitsMs => new Map(),
    (error: Error) => (error.cause instanceof Map ? error.cause : Promise.reject(error)),
  );

onEachDatabase((open) => {
  let database: Database;
  beforeEach(async () => void ({ database } = await open()));

  /** Increments counters in a batch that is rolled back above a limit. Returns the waits. */
  const count = (now: number, rateLimits: readonly RateLimit[] = [rateLimit]) =>
    waitsOf(
      database.batch([
        incrementStatement(rateLimits, now),
        rejectExceededStatement(rateLimits, now, exceeded),
      ]),
    );
  const countAt = async (...times: number[]) => {
    const waits = [];
    for (const now of times) waits.push((await count(now)).get('first') ?? null);
    return waits;
  };
  const decrement = () => database.batch([decrementStatement('first')]);
  const counters = () => database.all('SELECT key, count, expires_at FROM counters');

  test('counter: allows the limit in a window, also at once, which nodes share whose clocks differ by seconds, then nothing until it ends', async () => {
    const atOnce = await Promise.all(Array.from({ length: 10 }, () => count(0)));
    expect(atOnce.filter(({ size }) => size === 0)).toHaveLength(3);
    expect(await countAt(30, MINUTE_MS - 1, MINUTE_MS)).toEqual([MINUTE_MS - 30, 1, null]);
    const behind = await countAt(MINUTE_MS - 5000, MINUTE_MS - 1000, MINUTE_MS - 4000);
    expect(behind).toEqual([null, null, MINUTE_MS + 4000]);
  });

  test('counter: a window whose end is further in the future than its length has ended', async () => {
    const later = 30 * DAY_MS;
    expect(await countAt(later, later, later, 0)).toEqual([null, null, null, null]);
    expect(await counters()).toEqual([{ key: 'first', count: 1, expires_at: MINUTE_MS }]);
  });

  test('counter: a batch above a limit counts nothing and returns each wait', async () => {
    const other = { key: 'second', max: 1, windowMs: 2 * MINUTE_MS };
    const both = () => count(0, [rateLimit, other]);
    expect([await both(), await both()]).toEqual([new Map(), new Map([['second', 2 * MINUTE_MS]])]);
    expect(await counters()).toEqual([
      { key: 'first', count: 1, expires_at: MINUTE_MS },
      { key: 'second', count: 1, expires_at: 2 * MINUTE_MS },
    ]);
    await countAt(0, 0);
    const waits = Object.fromEntries(await both());
    expect(waits).toEqual({ first: MINUTE_MS, second: 2 * MINUTE_MS });
  });

  test('counter: only one in a window that has not ended, and that ends in time, is exceeded', async () => {
    const [start, end] = [DAY_MS, DAY_MS + MINUTE_MS];
    await database.run(sql`INSERT INTO counters (key, count, expires_at)
      VALUES ('first', 4, ${end}), ('other', 4, ${end})`);
    const waits = [];
    for (const now of [start - MINUTE_MS - 1, start - MINUTE_MS, end - 1, end]) {
      const reject = rejectExceededStatement([rateLimit], now, exceeded);
      waits.push([...(await waitsOf(database.batch([reject])))]);
    }
    expect(waits).toEqual([[], [['first', 2 * MINUTE_MS]], [['first', 1]], []]);
  });

  test('counter: a decrement allows one more and never goes below 0, a reset starts again', async () => {
    await countAt(0, 0, 0);
    await decrement();
    expect(await countAt(0, 0)).toEqual([null, MINUTE_MS]);
    for (let at = 0; at < 5; at += 1) await decrement();
    expect(await counters()).toEqual([{ key: 'first', count: 0, expires_at: MINUTE_MS }]);
    await countAt(0, 0, 0);
    await database.batch([resetStatement('first')]);
    expect(await countAt(0)).toEqual([null]);
  });

  test('counter: a deletion of patterns deletes their keys and no similar ones', async () => {
    const matching = words('a:address:10.0.0.1:1 a:address:2001:db8::1/64:1 a:card:1');
    const similar = words('a:address:10.0.0.1:2 a:card:12 b:address:10.0.0.1:1');
    const limits = [...matching, ...similar].map((key) => ({ ...rateLimit, key }));
    await count(0, limits);
    const patterns = ['a:address:%:1', 'a:card:1'];
    const deleted = await database.batch<{ key: string }>(patterns.map(deleteCountersStatement));
    expect(deleted.flatMap((rows) => rows.map(({ key }) => key).toSorted())).toEqual(matching);
    const left = await database.all('SELECT key FROM counters ORDER BY key');
    expect(left).toEqual(similar.map((key) => ({ key })));
  });
});
