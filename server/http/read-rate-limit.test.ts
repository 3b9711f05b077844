import { afterEach, beforeEach, expect, test } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

const READS_PER_MINUTE_MAX = 600;

type Method = 'GET' | 'HEAD';

let store: TestDatabase;
let context: ReturnType<typeof buildTestApp>;
let id: string;

beforeEach(async () => {
  store = await openTestSqlite();
  context = buildTestApp(store.database);
  id = (await signInByApi(context))._id;
});

afterEach(async () => {
  await context.app.close();
  await store.dispose();
});

async function read(method: Method, url: string, remoteAddress: string) {
  return (await context.app.inject({ method, url, remoteAddress })).statusCode;
}

/** Uses up all that an address may read, but for `left`. */
async function useUp(remoteAddress: string, left = 0): Promise<void> {
  for (let count = left; count < READS_PER_MINUTE_MAX; count += 1) {
    await read('GET', `/api/user/${id}`, remoteAddress);
  }
}

/** The same card under every spelling that the router takes for it. */
function spellings(): [Method, string][] {
  const escaped = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
  const paths = [
    `/user/${id}`,
    `/user/${id}/`,
    `/user/${id}?again=1`,
    `/user/${escaped}`,
    `/%75ser/${id}`,
    `/user/${id}/contact.vcf`,
    `/user/${id}/contact.vcf/`,
    `/user/${id}/contact%2Evcf`,
    `/user/${id}/preview.jpg`,
    `/api/user/${id}`,
    `/api/user/${id}/`,
    `/%61pi/user/${escaped}`,
  ];
  return paths.flatMap((path): [Method, string][] => [
    ['GET', path],
    ['HEAD', path],
  ]);
}

test('no spelling of an address in the browser, and no HEAD, gets past the limit', async () => {
  await useUp('203.0.113.7');
  const answers = await Promise.all(
    spellings().map(async ([method, path]) => ({
      path: `${method} ${path}`,
      status: await read(method, path, '203.0.113.7'),
    })),
  );
  expect(answers.filter(({ status }) => status !== 429)).toEqual([]);
});

test('the control: to somebody else every one of those spellings is a card', async () => {
  const answers = await Promise.all(
    spellings().map(async ([method, path]) => ({
      path: `${method} ${path}`,
      status: await read(method, path, '203.0.113.8'),
    })),
  );
  expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
});

test('a path in another case is no card at all', async () => {
  expect(await read('GET', `/USER/${id}`, '203.0.113.7')).toBe(404);
  expect(await read('GET', `/user/${id}/CONTACT.VCF`, '203.0.113.7')).toBe(404);
});

test('all of an IPv6 /64, and an IPv4 address however it is written, are one reader', async () => {
  await useUp('2001:db8:0:1::1');
  await useUp('203.0.113.7');
  const readers = [
    '2001:db8:0:1:ffff::9',
    '2001:DB8::1:0:0:0:5',
    '2001:db8:0:2::1',
    '::ffff:203.0.113.7',
    '203.0.113.8',
  ];
  const answers = await Promise.all(
    readers.map((address) => read('GET', `/api/user/${id}`, address)),
  );
  expect(answers).toEqual([429, 429, 200, 429, 200]);
});

test('of a thousand who read at once exactly six hundred are answered', async () => {
  const answers = await Promise.all(
    Array.from({ length: 1000 }, () => read('GET', `/api/user/${id}`, '203.0.113.7')),
  );
  const count = (status: number) => answers.filter((one) => one === status).length;
  expect([count(200), count(429)]).toEqual([READS_PER_MINUTE_MAX, 400]);
});
