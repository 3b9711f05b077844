import type { FastifyRequest } from 'fastify';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';

import { DAY_MS } from '#domain/duration.ts';
import { UnknownResultError } from '#server/adapter/database/database.ts';
import type { Database, Statement } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import { fixedClock } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { silentLog } from '#tests/support/log.ts';
import { toSql } from '#tests/support/statement.ts';

import { VisitCounter } from './visit-counter.ts';
import { isFromPerson } from '#server/http/person.ts';
import { createVisitorHasher } from './visitor.ts';

const TODAY = Date.parse('2026-01-15');
const USER = 'abcdefghijkmnopq';
const TOMORROW = TODAY + DAY_MS;
const NOT_STORED = new Error('The database failed.');
const UNKNOWN = new UnknownResultError(new Error('The disk did not respond.'));

let database: Database;

beforeEach(async () => {
  ({ database } = await openTestSqlite());
  await database.run(sql`INSERT INTO users (id, login_phone, created_at, updated_at)
    VALUES (${USER}, '+91', 0, 0)`);
});

function openCounter(changes: Partial<Database> = {}) {
  const clock = fixedClock();
  const log = silentLog.child({});
  const changed = { ...database, ...changes };
  const hasher = createVisitorHasher(changed, 'secret');
  const own = { clock, log, hasher, timeZone: 'Asia/Kolkata' };
  const counter = new VisitCounter({ ...own, database: changed });
  const visit = (hash: string, { kind = 'Open', day = TODAY, source = hash, userId = USER } = {}) =>
    counter.add({ userId, day, kind }, { userId, day, hash, source });
  return { counter, clock, log, visit };
}

test('visit counter: writes every 5 s until it is closed', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { counter } = openCounter();
  const flush = vi.spyOn(counter, 'flush');
  const callsAfter = (ms: number) => {
    vi.advanceTimersByTime(ms);
    return flush.mock.calls.length;
  };
  expect([callsAfter(4999), callsAfter(1), callsAfter(5000)]).toEqual([0, 1, 2]);
  await counter.close();
  expect(callsAfter(10_000)).toBe(3);
});

test.each([
  ['visitors', NOT_STORED, 1, ['Open 1', 'Unique 1']],
  ['visitors, perhaps', UNKNOWN, 1, ['Open 1']],
  ['counts', NOT_STORED, 2, ['Open 1', 'Unique 1']],
  ['counts, perhaps', UNKNOWN, 2, []],
])('visit counter: repeats a failed write unless stored: %s', async (...[, error, at, stored]) => {
  let calls = 0;
  const { counter, log, visit } = openCounter({
    batch: async (statements) => {
      calls += 1;
      if (calls === at) throw error;
      return database.batch(statements);
    },
  });
  const warn = vi.spyOn(log, 'warn');
  visit('a');
  await counter.flush();
  expect(warn.mock.calls).toEqual([[{ err: error }, 'visits are not written yet']]);
  await counter.close();
  const query = "SELECT kind || ' ' || count AS text FROM visit_counts ORDER BY 1";
  expect(await database.all(query)).toEqual(stored.map((text) => ({ text })));
});

const rowsOf = ([statement]: readonly Statement[]) =>
  JSON.parse(String(toSql(statement).values[0])) as (string | number)[][];

test('visit counter: has 20,000 counts and visitors in memory at most, and writes 500 at a time', async () => {
  const batches: (string | number)[][][] = [];
  const { counter, visit } = openCounter({
    batch: async (statements) => (batches.push(rowsOf(statements)), [[]]),
  });
  for (let at = 0; at <= 20_000; at += 1) visit(`visitor ${at}`, { kind: `kind ${at}` });
  visit('visitor 0', { kind: 'kind 0' });
  await counter.close();
  expect(batches.map((rows) => rows.length)).toEqual(Array(80).fill(500));
  // When the memory is full, counts that are already in it still grow.
  const counts = batches.slice(40).flatMap((rows) => rows.map((row) => row[4]));
  expect(counts.filter((count) => count !== 1)).toEqual([2]);
});

test('visit counter: deletes the visitors of earlier days once a day, and again after a late visit', async () => {
  const run = vi.fn<Database['run']>((statement) => database.run(statement));
  const { counter, clock, visit } = openCounter({ run });
  await database.run(sql`INSERT INTO visitor_salts (day, salt) VALUES (${TODAY}, ${'salt'})`);
  visit('a');
  await counter.flush();
  visit('b');
  await counter.flush();
  expect(run).toHaveBeenCalledTimes(2);
  clock.advance(DAY_MS);
  await database.run("DELETE FROM visitor_hashes WHERE hash = 'b'");
  await counter.flush();
  expect(run).toHaveBeenCalledTimes(4);
  visit('late');
  visit('new', { day: TOMORROW });
  await counter.flush();
  expect(run).toHaveBeenCalledTimes(6);
  await counter.close();
  expect(await database.all('SELECT hash FROM visitor_hashes')).toEqual([{ hash: 'new' }]);
});

test('visit counter: an address has 5,000 new visitors a day and a card 20,000, and more only count as opened', async () => {
  const written: string[] = [];
  const { counter, clock, visit } = openCounter({
    batch: async (statements) => {
      const rows = rowsOf(statements);
      written.push(...rows.map((row) => (row.length === 3 ? `${row[0]}` : `${row[3]} ${row[4]}`)));
      return [rows.map(([hash]) => ({ hash }))] as never;
    },
  });
  const write = async () => {
    written.length = 0;
    await counter.flush();
    return written;
  };
  const OTHER = 'a card of another';
  for (let at = 0; at < 5000; at += 1) visit(`a ${at}`, { source: 'a' });
  await write();
  visit('a more', { source: 'a' });
  visit('a other', { source: 'a', userId: OTHER });
  visit('b', { source: 'b' });
  expect(await write()).toEqual(['b', 'Open 2', 'Open 1', 'Unique 1']);
  for (let at = 0; at < 14_999; at += 1) visit(`c ${at}`);
  await write();
  visit('d');
  visit('d other', { userId: OTHER });
  expect(await write()).toEqual(['d other', 'Open 1', 'Open 1', 'Unique 1']);
  clock.advance(DAY_MS);
  visit('e', { source: 'a', day: TOMORROW });
  expect(await write()).toEqual(['e', 'Open 1', 'Unique 1']);
  await counter.close();
});

test('visit counter: deletes the visitors of earlier days in batches, also beside another node', async () => {
  await database.run(sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers
    WHERE n < 2500) INSERT INTO visitor_hashes (hash, day) SELECT n, ${TODAY - DAY_MS} FROM numbers`);
  const removed: number[] = [];
  const { counter } = openCounter({
    run: async (statement) => {
      const changes = await database.run(statement);
      if (!toSql(statement).text.includes('visitor_hashes')) return changes;
      removed.push(changes);
      // Another node has deleted one row of the first batch.
      return removed.length === 1 ? changes - 1 : changes;
    },
  });
  await counter.close();
  expect(removed).toEqual([1000, 1000, 500]);
});

/** Returns a hasher, and an object that counts its reads of a salt. Each read waits for `delay`. */
function openHasher() {
  const salt = { reads: 0, delay: () => Promise.resolve() };
  const batch: Database['batch'] = async (statements) => {
    salt.reads += 1;
    await salt.delay();
    return database.batch(statements);
  };
  const hasher = createVisitorHasher({ ...database, batch }, 'secret');
  const hashOf = async (day: number, agent = 'Firefox') =>
    (await hasher.hash(requestOf({ 'user-agent': agent }), { userId: USER, day })).hash;
  return { hasher, hashOf, salt };
}

const requestOf = (headers: Record<string, string>) =>
  ({ client: { prefix64: '203.0.113.7' }, headers }) as unknown as FastifyRequest;

test('visitor hash: has 22 characters, by the first 512 of the user agent, and a salt of the day that is read once', async () => {
  const { hasher, hashOf, salt } = openHasher();
  const first = await hashOf(TODAY);
  expect(first).toMatch(/^[\w-]{22}$/);
  expect(await hashOf(TODAY)).toBe(first);
  const long = 'a'.repeat(512);
  expect(await hashOf(TODAY, `${long}b`)).toBe(await hashOf(TODAY, `${long}c`));
  expect(await hashOf(TODAY, long.slice(1))).not.toBe(await hashOf(TODAY, long));
  // Only the salt of an earlier day is dropped from memory.
  hasher.dropSaltBefore(TODAY);
  await hashOf(TODAY);
  expect(salt.reads).toBe(1);
  hasher.dropSaltBefore(TOMORROW);
  expect([await hashOf(TODAY), salt.reads]).toEqual([first, 2]);
  expect(await hashOf(TOMORROW)).not.toBe(first);
  expect(salt.reads).toBe(3);
});

test('visitor hash: a failed read is repeated, and does not drop the salt of another day', async () => {
  const { hashOf, salt } = openHasher();
  const succeed = salt.delay;
  salt.delay = () => Promise.reject(NOT_STORED);
  await expect(hashOf(TODAY)).rejects.toThrow(NOT_STORED);
  salt.delay = succeed;
  await hashOf(TODAY);
  expect(salt.reads).toBe(2);
  let fail: ((error: Error) => void) | undefined;
  salt.delay = () => new Promise((_resolve, reject) => (fail = reject));
  const late = hashOf(TOMORROW);
  salt.delay = succeed;
  await hashOf(TODAY);
  fail?.(new Error('Too late.'));
  await expect(late).rejects.toThrow('Too late.');
  await hashOf(TODAY);
  expect(salt.reads).toBe(4);
});

test('visitor: a request without a user agent is not from a person', () => {
  expect(isFromPerson(requestOf({}))).toBe(false);
});
