import type { FastifyRequest } from 'fastify';
import { beforeEach, expect, test } from 'vitest';

import { DAY_MS } from '#domain/duration.ts';
import type { Database } from '#server/db/database.ts';
import { openTestSqlite } from '#tests/support/database.ts';

import { VisitorHasher, isFromPerson } from './visitor.ts';

const TODAY = Date.parse('2026-01-15');
const TOMORROW = TODAY + DAY_MS;

let database: Database;
let reads: number;
/** Returns what delays or fails the next read of a salt. */
let delay: () => Promise<void>;

beforeEach(async () => {
  ({ database } = await openTestSqlite());
  reads = 0;
  delay = () => Promise.resolve();
});

function createHasher(): VisitorHasher {
  const batch: Database['batch'] = async (statements) => {
    reads += 1;
    await delay();
    return database.batch(statements);
  };
  return new VisitorHasher({ ...database, batch }, 'secret');
}

/** A request with the properties that the hash and the check read. */
const request = (headers: Record<string, string>) =>
  ({ ip: '203.0.113.7', headers }) as unknown as FastifyRequest;

async function hashOf(hasher: VisitorHasher, day: number, agent = 'Firefox'): Promise<string> {
  const card = { userId: 'abcdefghijkmnopq', day };
  return (await hasher.hash(request({ 'user-agent': agent }), card)).hash;
}

test('visitor hash: has 22 characters, by the first 512 of the user agent, and a salt of the day that is read once', async () => {
  const hasher = createHasher();
  const first = await hashOf(hasher, TODAY);
  expect(first).toMatch(/^[\w-]{22}$/);
  expect(await hashOf(hasher, TODAY)).toBe(first);
  const long = 'a'.repeat(512);
  expect(await hashOf(hasher, TODAY, `${long}b`)).toBe(await hashOf(hasher, TODAY, `${long}c`));
  expect(await hashOf(hasher, TODAY, long.slice(1))).not.toBe(await hashOf(hasher, TODAY, long));
  // Only the salt of an earlier day is dropped from memory.
  hasher.dropSaltBefore(TODAY);
  await hashOf(hasher, TODAY);
  expect(reads).toBe(1);
  hasher.dropSaltBefore(TOMORROW);
  expect(await hashOf(hasher, TODAY)).toBe(first);
  expect(reads).toBe(2);
  expect(await hashOf(hasher, TOMORROW)).not.toBe(first);
  expect(reads).toBe(3);
});

test('visitor hash: a failed read is repeated, and does not drop the salt of another day', async () => {
  const hasher = createHasher();
  delay = () => Promise.reject(new Error('The database failed.'));
  await expect(hashOf(hasher, TODAY)).rejects.toThrow('The database failed.');
  delay = () => Promise.resolve();
  await hashOf(hasher, TODAY);
  expect(reads).toBe(2);

  const failures: ((error: Error) => void)[] = [];
  delay = () => new Promise((_resolve, reject) => failures.push(reject));
  const late = hashOf(hasher, TOMORROW);
  delay = () => Promise.resolve();
  await hashOf(hasher, TODAY);
  failures[0]?.(new Error('Too late.'));
  await expect(late).rejects.toThrow('Too late.');
  await hashOf(hasher, TODAY);
  expect(reads).toBe(4);
});

test('visitor: a request without a user agent is not from a person', () => {
  expect(isFromPerson(request({}))).toBe(false);
  const headers = { 'user-agent': 'Mozilla/5.0 (Android 15) Firefox/131.0' };
  expect(isFromPerson(request(headers))).toBe(true);
});
