import { EventEmitter, once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { buffer, text } from 'node:stream/consumers';

import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { Database } from '#server/db/database.ts';
import { sql } from '#server/db/sql.ts';
import type { Renderer } from '#server/image/renderer.ts';
import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { METRICS_TOKEN, readMetric } from '#tests/support/metrics.ts';
import { toSql } from '#tests/support/statement.ts';

const READS_PER_MINUTE_MAX = 30;
/** Headers that differ between equal responses, or belong to the connection. */
const VARYING_HEADERS = new Set(['date', 'connection', 'keep-alive']);
const OK = 200;

interface Kind {
  readonly path: (userId: string) => string;
  /** The profiles and photos that it reads, and the pictures that it renders. */
  readonly reads: number;
}

const KINDS = {
  'card page': { path: (id) => `/user/${id}`, reads: 1 },
  'contact file': { path: (id) => `/user/${id}/contact.vcf`, reads: 1 },
  'GET user': { path: (id) => `/api/user/${id}`, reads: 1 },
  'preview picture': { path: previewPath, reads: 3 },
  'preview picture of a version': {
    path: (id) => `${previewPath(id)}?v=${previewVersion}`,
    reads: 3,
  },
  photo: { path: photoPath, reads: 1 },
  policy: { path: () => '/privacy_policy', reads: 0 },
} satisfies Record<string, Kind>;
const kinds: [string, Kind][] = Object.entries(KINDS);
const kindsOfUser = kinds.filter(([name]) => name !== 'policy');

let testDatabase: TestDatabase;
let testApp: ReturnType<typeof buildTestApp>;
let origin: string;
let owner: { _id: string; sessionToken: string };
let previewVersion: string;
let routed: string[];
/** Reads of a profile or a photo, and rendered pictures. */
let reads: number;
/** While it is pending, no read ends. */
let released: Promise<unknown>;

beforeEach(async () => {
  testDatabase = await openTestSqlite();
  routed = [];
  reads = 0;
  released = Promise.resolve();
  testApp = open({});
  owner = await signInByApi(testApp);
  await testDatabase.database.run(sql`UPDATE users SET profile_photo = ${photoPath(owner._id)}`);
  const { headers } = await testApp.app.inject(previewPath(owner._id));
  previewVersion = String(headers.etag).replaceAll('"', '');
  await save({ bio: 'Nothing is cached after this.' });
  await listen();
});

async function readPhoto() {
  reads += 1;
  await released;
  return Buffer.from('a photo');
}

/** Returns the app, which counts and can block its reads, and records what the router handles. */
function open(environment: Record<string, string>) {
  const { photos } = buildTestApp(testDatabase.database).dependencies;
  const picture = { data: Buffer.from('a picture'), width: 1, height: 1 };
  const renderer: Renderer = {
    render: (render) => {
      reads += 1;
      return render(async () => picture);
    },
    close: () => undefined,
  };
  const database: Database = {
    ...testDatabase.database,
    one: async (statement) => {
      if (/SELECT id, name.* FROM users/.test(toSql(statement).text)) {
        reads += 1;
        await released;
      }
      return testDatabase.database.one(statement);
    },
  };
  const opened = buildTestApp(database, {
    environment: {
      TRUST_PROXY: '127.0.0.1',
      METRICS_TOKEN,
      LIMIT_READS_PER_MINUTE: String(READS_PER_MINUTE_MAX),
      ...environment,
    },
    dependencies: { renderer, photos: { ...photos, read: readPhoto } },
  });
  // The framework's hooks run only for requests that the fast path did not answer.
  opened.app.addHook('onRequest', async ({ url }) => void routed.push(url));
  return opened;
}

async function listen() {
  origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  routed = [];
  reads = 0;
}

function photoPath(userId: string): string {
  return `/photos/${userId}-${'0'.repeat(32)}-448.jpg`;
}

function previewPath(userId: string): string {
  return `/user/${userId}/preview.jpg`;
}

function save(payload: Record<string, string>) {
  return testApp.app.inject({
    method: 'POST',
    url: `/api/user/updateUser/${owner._id}`,
    headers: { authorization: owner.sessionToken },
    payload,
  });
}

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
  const sent = request(origin + path, { method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  return {
    handledBy: routed.length > routedBefore ? 'router' : 'fast path',
    status: response.statusCode,
    headers: Object.fromEntries(
      Object.entries(response.headers).filter(([name]) => !VARYING_HEADERS.has(name)),
    ),
    body: body.toString('latin1'),
  };
}

/** The fast path leaves a request with this header to the router. */
const TO_ROUTER = { 'content-length': '0' };

/** Sends a request to the router and to the fast path; returns the response, which must be the same. */
async function sendToBoth(options: RequestOptions) {
  const byRouter = { ...options, headers: { ...options.headers, ...TO_ROUTER } };
  const [router, fastPath] = [await sendRequest(byRouter), await sendRequest(options)];
  expect([router.handledBy, fastPath.handledBy]).toEqual(['router', 'fast path']);
  expect({ ...fastPath, handledBy: 'either' }).toEqual({ ...router, handledBy: 'either' });
  return fastPath;
}

const requestCounts = () => readMetric(testApp, 'tessera_http_request_duration_seconds_count');

describe.each(kinds)('%s', (_, { path: pathOf }) => {
  test('fast path: sends the same headers and body as the router in each encoding', async () => {
    const path = pathOf(owner._id);
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const get = await sendToBoth({ path, headers });
      expect([get.status, get.body.length > 0]).toEqual([OK, true]);
      const head = await sendToBoth({ path, headers, method: 'HEAD' });
      expect(head).toEqual({ ...get, body: '' });
    }
  });

  test('fast path: If-None-Match is 304 for its own tag only', async () => {
    const path = pathOf(owner._id);
    const { headers } = await sendToBoth({ path });
    const statusFor = async (tag: string) =>
      (await sendToBoth({ path, headers: { 'if-none-match': tag } })).status;
    expect([
      await statusFor(String(headers['etag'])),
      await statusFor('*'),
      await statusFor('"x"'),
    ]).toEqual([304, 304, 200]);
  });

  test('fast path: with PUBLIC_URL it has the headers of the router', async () => {
    await testApp.app.close();
    testApp = open({ PUBLIC_URL: 'https://cards.example' });
    await listen();
    const { headers } = await sendToBoth({ path: pathOf(owner._id) });
    expect(headers['strict-transport-security']).toBe('max-age=31536000');
  });

  test('fast path: counts a request in the metrics as the router does', async () => {
    const path = pathOf(owner._id);
    await sendToBoth({ path });
    const before = await requestCounts();
    await sendToBoth({ path, method: 'HEAD' });
    const after = await requestCounts();
    const changed = Object.entries(after).filter(
      ([labels, count]) => before[labels] !== count && !labels.includes('/metrics'),
    );
    // The router answered one of the two.
    expect(changed).toEqual([[expect.stringContaining('method="HEAD"'), 2]]);
  });

  test('fast path: a response that is not cached comes from the router', async () => {
    const path = pathOf(owner._id);
    const first = await sendRequest({ path });
    const second = await sendRequest({ path });
    expect([first.handledBy, second.handledBy]).toEqual(['router', 'fast path']);
    expect({ ...second, handledBy: 'router' }).toEqual(first);
  });
});

test.each(kindsOfUser)(
  'response cache: concurrent requests read and render once: %s',
  async (_, { path: pathOf, reads: expectedReads }) => {
    const release = new EventEmitter();
    released = once(release, 'released');
    const path = pathOf(owner._id);
    const pending = Array.from({ length: 20 }, () => sendRequest({ path }));
    await vi.waitUntil(() => routed.length === pending.length);
    release.emit('released');
    const responses = await Promise.all(pending);
    expect(new Set(responses.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(reads).toBe(expectedReads);
  },
);

test.each(kindsOfUser)(
  'fast path: after a save the router answers: %s',
  async (_, { path: pathOf }) => {
    const path = pathOf(owner._id);
    await sendToBoth({ path });
    await save({ bio: 'another' });
    expect((await sendRequest({ path })).handledBy).toBe('router');
    expect((await sendRequest({ path })).handledBy).toBe('fast path');
  },
);

test.each(kindsOfUser)('fast path: counts for the read limit: %s', async (_, { path: pathOf }) => {
  const headers = { 'x-forwarded-for': '203.0.113.7' };
  const path = pathOf(owner._id);
  await sendRequest({ path, headers });
  for (let count = 2; count < READS_PER_MINUTE_MAX; count += 1) {
    const { status, handledBy } = await sendRequest({ path, headers });
    if (status !== OK || handledBy !== 'fast path') expect([count, status, handledBy]).toBe(null);
  }
  const last = await sendRequest({ path, headers });
  const rejected = await sendRequest({ path, headers });
  expect([last.status, rejected.status, rejected.handledBy]).toEqual([200, 429, 'router']);
  expect((await sendRequest({ path, headers: { 'x-forwarded-for': '203.0.113.8' } })).status).toBe(
    OK,
  );
});

test('fast path: policies do not count for the read limit', async () => {
  const path = '/privacy_policy';
  const statuses = new Set<number | undefined>();
  for (let count = 0; count < READS_PER_MINUTE_MAX + 2; count += 1) {
    statuses.add((await sendRequest({ path })).status);
  }
  expect([...statuses]).toEqual([OK]);
});

test('fast path: other methods, paths and headers are handled by the router', async () => {
  const path = `/user/${owner._id}`;
  await sendToBoth({ path });
  const others: RequestOptions[] = [
    { method: 'POST' },
    { method: 'OPTIONS' },
    { path: `${path}/` },
    { path: `${path}?again=1` },
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

async function canonicalUrlFor(host: string): Promise<string | undefined> {
  const { port } = new URL(origin);
  const options = { host: '127.0.0.1', port, path: `/user/${owner._id}`, headers: { host } };
  const [response] = (await once(request(options).end(), 'response')) as [IncomingMessage];
  return /rel="canonical" href="([^"]*)"/.exec(await text(response))?.[1];
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
  const [accepted] = (await once(testApp.app.server, 'connection')) as [Socket];
  await vi.waitUntil(() => accepted.bytesRead > 0);
  const seen = routed.length;
  const closed = testApp.app.close();
  await vi.waitUntil(() => !testApp.app.server.listening);
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
