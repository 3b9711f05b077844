import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

const READS_PER_MINUTE_MAX = 600;
/** What differs from answer to answer, or belongs to the connection. */
const PASSING = new Set(['date', 'connection', 'keep-alive']);

let store: TestDatabase;
let context: ReturnType<typeof buildTestApp>;
let origin: string;
let owner: { _id: string; sessionToken: string };
let routed: string[];

beforeEach(async () => {
  store = await openTestSqlite();
  context = buildTestApp(store.database, { environment: { TRUST_PROXY: '127.0.0.1' } });
  routed = [];
  // The framework's hooks see what the express did not take.
  context.app.addHook('onRequest', async (request) => void routed.push(request.url));
  owner = await signInByApi(context);
  origin = await context.app.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  await context.app.close();
  await store.dispose();
});

interface Given {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** Asks over a real socket; says whether the framework saw it. */
async function ask({ method = 'GET', path = `/user/${owner._id}`, headers = {} }: Given = {}) {
  const seen = routed.length;
  const answer = await fetch(origin + path, { method, headers });
  const all = Object.fromEntries([...answer.headers].filter(([name]) => !PASSING.has(name)));
  return {
    way: routed.length > seen ? 'framework' : 'express',
    status: answer.status,
    headers: all,
    body: await answer.text(),
  };
}

test('a card that is in memory is answered past the framework, to the same bytes', async () => {
  for (const encoding of ['br', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': encoding };
    const first = await ask({ headers });
    const second = await ask({ headers });
    expect([first.way, second.way]).toEqual(['framework', 'express']);
    expect({ ...second, way: 'either' }).toEqual({ ...first, way: 'either' });
    expect(first.body).toContain('<!');
  }
});

test('who has the page already is told so', async () => {
  const { headers } = await ask();
  await ask();
  const known = await ask({ headers: { 'if-none-match': headers['etag'] ?? '' } });
  expect([known.way, known.status, known.body]).toEqual(['express', 304, '']);
});

test('a save shows in the very next answer', async () => {
  await ask();
  expect((await ask()).way).toBe('express');
  await fetch(`${origin}/api/user/updateUser/${owner._id}`, {
    method: 'POST',
    headers: { authorization: owner.sessionToken, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Asha Menon' }),
  });
  const next = await ask();
  expect([next.way, next.body.includes('Asha Menon')]).toEqual(['framework', true]);
});

test('whatever is not the plain case takes the framework’s way', async () => {
  await ask();
  await ask();
  const odd: Given[] = [
    { method: 'HEAD' },
    { method: 'POST' },
    { path: `/user/${owner._id}/` },
    { path: `/user/${owner._id}?again=1` },
    { path: '/user/1111111111111111' },
    { path: '/user/nobody' },
    { headers: { 'x-forwarded-proto': 'https' } },
    { headers: { 'x-forwarded-host': 'cards.example' } },
  ];
  const ways = [];
  for (const given of odd) ways.push((await ask(given)).way);
  expect(ways).toEqual(odd.map(() => 'framework'));
  // Refused before the hook that this test counts by.
  expect((await ask({ headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
});

/** The address that a card says it stands at, asked for under a host. */
async function canonicalUnder(host: string): Promise<string | undefined> {
  const { port } = new URL(origin);
  const options = { host: '127.0.0.1', port, path: `/user/${owner._id}`, headers: { host } };
  const [answer] = (await once(get(options), 'response')) as [IncomingMessage];
  return /rel="canonical" href="([^"]*)"/.exec(await text(answer))?.[1];
}

test('a card that is asked for under two hosts in turn names each its own', async () => {
  const hosts = ['one.example', 'two.example', 'one.example', 'two.example', 'one.example'];
  const named = [];
  for (const host of hosts) named.push(await canonicalUnder(host));
  expect(named).toEqual(hosts.map((host) => `http://${host}/user/${owner._id}`));
  // Each host's first answer came from the framework, the rest from memory.
  expect(routed.filter((url) => url.startsWith('/user/'))).toHaveLength(2);
});

/** Readers who claim to be many, and whom the outer of two proxies names. */
const claiming = (claimed: string) => ({
  'x-forwarded-for': `${claimed}, 203.0.113.7, 127.0.0.1`,
});

test('behind two proxies the reader is who the outer one names, whatever the reader says', async () => {
  await ask();
  for (let count = 0; count < READS_PER_MINUTE_MAX; count += 1) {
    await ask({ headers: claiming(`198.51.100.${count % 250}`) });
  }
  expect((await ask({ headers: claiming('198.51.100.251') })).status).toBe(429);
  expect((await ask({ headers: { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' } })).status).toBe(
    200,
  );
});

test('the express counts against the reader’s limit, by the address that the proxy names', async () => {
  const reader = { 'x-forwarded-for': '203.0.113.7' };
  await ask({ headers: reader });
  const statuses = [];
  for (let count = 1; count < READS_PER_MINUTE_MAX + 2; count += 1) {
    statuses.push((await ask({ headers: reader })).status);
  }
  expect(statuses.slice(0, -2).every((status) => status === 200)).toBe(true);
  expect(statuses.slice(-2)).toEqual([429, 429]);
  expect((await ask({ headers: { 'x-forwarded-for': '203.0.113.8' } })).status).toBe(200);
});
