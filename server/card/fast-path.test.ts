import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

const READS_PER_MINUTE_MAX = 600;
/** Headers that differ between equal responses, or belong to the connection. */
const VARYING_HEADERS = new Set(['date', 'connection', 'keep-alive']);

let store: TestDatabase;
let context: ReturnType<typeof buildTestApp>;
let origin: string;
let owner: { _id: string; sessionToken: string };
let routed: string[];

beforeEach(async () => {
  store = await openTestSqlite();
  context = buildTestApp(store.database, { environment: { TRUST_PROXY: '127.0.0.1' } });
  routed = [];
  // The framework's hooks run only for requests that the fast path did not answer.
  context.app.addHook('onRequest', async (request) => void routed.push(request.url));
  owner = await signInByApi(context);
  origin = await context.app.listen({ host: '127.0.0.1', port: 0 });
});

afterEach(async () => {
  await context.app.close();
  await store.dispose();
});

interface RequestOptions {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Record<string, string>;
}

/** Sends a request over a real socket; `handledBy` is 'fast path' or 'router'. */
async function sendRequest({
  method = 'GET',
  path = `/user/${owner._id}`,
  headers = {},
}: RequestOptions = {}) {
  const routedBefore = routed.length;
  const answer = await fetch(origin + path, { method, headers });
  const all = Object.fromEntries(
    [...answer.headers].filter(([name]) => !VARYING_HEADERS.has(name)),
  );
  return {
    handledBy: routed.length > routedBefore ? 'router' : 'fast path',
    status: answer.status,
    headers: all,
    body: await answer.text(),
  };
}

test('fast path: sends a cached card page with the same headers and body as the router', async () => {
  for (const encoding of ['br', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': encoding };
    const first = await sendRequest({ headers });
    const second = await sendRequest({ headers });
    expect([first.handledBy, second.handledBy]).toEqual(['router', 'fast path']);
    expect({ ...second, handledBy: 'either' }).toEqual({ ...first, handledBy: 'either' });
    expect(first.body).toContain('<!');
  }
});

test('fast path: If-None-Match is 304', async () => {
  const { headers } = await sendRequest();
  await sendRequest();
  const known = await sendRequest({ headers: { 'if-none-match': headers['etag'] ?? '' } });
  expect([known.handledBy, known.status, known.body]).toEqual(['fast path', 304, '']);
});

test('fast path: after a save the router renders the page again', async () => {
  await sendRequest();
  expect((await sendRequest()).handledBy).toBe('fast path');
  await fetch(`${origin}/api/user/updateUser/${owner._id}`, {
    method: 'POST',
    headers: { authorization: owner.sessionToken, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Asha Menon' }),
  });
  const next = await sendRequest();
  expect([next.handledBy, next.body.includes('Asha Menon')]).toEqual(['router', true]);
});

test('fast path: other methods, paths and headers are handled by the router', async () => {
  await sendRequest();
  await sendRequest();
  const others: RequestOptions[] = [
    { method: 'HEAD' },
    { method: 'POST' },
    { path: `/user/${owner._id}/` },
    { path: `/user/${owner._id}?again=1` },
    { path: '/user/1111111111111111' },
    { path: '/user/nobody' },
    { headers: { 'x-forwarded-proto': 'https' } },
    { headers: { 'x-forwarded-host': 'cards.example' } },
  ];
  const handlers = [];
  for (const options of others) handlers.push((await sendRequest(options)).handledBy);
  expect(handlers).toEqual(others.map(() => 'router'));
  // A compressed request is rejected before the hook that records requests.
  expect((await sendRequest({ headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
});

/** Returns the canonical URL of the card page for a Host header. */
async function canonicalUrlFor(host: string): Promise<string | undefined> {
  const { port } = new URL(origin);
  const options = { host: '127.0.0.1', port, path: `/user/${owner._id}`, headers: { host } };
  const [answer] = (await once(get(options), 'response')) as [IncomingMessage];
  return /rel="canonical" href="([^"]*)"/.exec(await text(answer))?.[1];
}

test('fast path: a card under two hosts has the canonical URL of each', async () => {
  const hosts = ['one.example', 'two.example', 'one.example', 'two.example', 'one.example'];
  const named = [];
  for (const host of hosts) named.push(await canonicalUrlFor(host));
  expect(named).toEqual(hosts.map((host) => `http://${host}/user/${owner._id}`));
  // The router answered the first request of each host, the fast path the others.
  expect(routed.filter((url) => url.startsWith('/user/'))).toHaveLength(2);
});

test('fast path: once the server stops listening, a request on an open connection goes to the router', async () => {
  const headers = { 'accept-encoding': 'gzip' };
  await sendRequest({ headers });
  expect((await sendRequest({ headers })).handledBy).toBe('fast path');
  const { host, port } = new URL(origin);
  const socket = connect(Number(port), '127.0.0.1');
  const response = text(socket);
  // The server receives the end of this request after it has stopped listening.
  socket.write(`GET /user/${owner._id} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: gzip\r\n`);
  const [accepted] = (await once(context.app.server, 'connection')) as [Socket];
  await vi.waitUntil(() => accepted.bytesRead > 0);
  const seen = routed.length;
  const closed = context.app.close();
  await vi.waitUntil(() => !context.app.server.listening);
  socket.write('\r\n');
  const [head = ''] = (await response).split('\r\n\r\n');
  await closed;
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(head.toLowerCase()).toContain('connection: close');
  expect(routed.slice(seen)).toEqual([`/user/${owner._id}`]);
});

/** A reader behind two proxies who sends a false X-Forwarded-For. */
const spoofed = (claimed: string) => ({
  'x-forwarded-for': `${claimed}, 203.0.113.7, 127.0.0.1`,
});

test('fast path: behind two proxies, a false X-Forwarded-For does not avoid the read limit', async () => {
  await sendRequest();
  for (let count = 0; count < READS_PER_MINUTE_MAX; count += 1) {
    await sendRequest({ headers: spoofed(`198.51.100.${count % 250}`) });
  }
  expect((await sendRequest({ headers: spoofed('198.51.100.251') })).status).toBe(429);
  expect(
    (await sendRequest({ headers: { 'x-forwarded-for': '203.0.113.9, 127.0.0.1' } })).status,
  ).toBe(200);
});

test('fast path: counts reads for the address that the proxy forwards', async () => {
  const reader = { 'x-forwarded-for': '203.0.113.7' };
  await sendRequest({ headers: reader });
  const statuses = [];
  for (let count = 1; count < READS_PER_MINUTE_MAX + 2; count += 1) {
    statuses.push((await sendRequest({ headers: reader })).status);
  }
  expect(statuses.slice(0, -2).every((status) => status === 200)).toBe(true);
  expect(statuses.slice(-2)).toEqual([429, 429]);
  expect((await sendRequest({ headers: { 'x-forwarded-for': '203.0.113.8' } })).status).toBe(200);
});
