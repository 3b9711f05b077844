import { EventEmitter, once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';

import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Renderer } from '#server/adapter/image/renderer.ts';
import { buildTestApp, saveByApi, signInByApi } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { METRICS_TOKEN, readMetric } from '#tests/support/metrics.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { toSql } from '#tests/support/statement.ts';

const READS_PER_MINUTE_MAX = 60;
const OK = 200;

const CARD = '/user/{id}';
const PREVIEW = `${CARD}/preview.jpg`;
const PHOTO = `/photos/{id}-${'0'.repeat(32)}-448.jpg`;
/** Each path with the number of profiles and photos that it reads and pictures that it renders. */
const KINDS: [path: string, reads: number][] = [
  [CARD, 1],
  [`${CARD}/contact.vcf`, 1],
  [`/api${CARD}`, 1],
  [PREVIEW, 1],
  [`${PREVIEW}?v={version}`, 1],
  [PHOTO, 1],
];

let testApp: TestApp;
let origin: string;
let owner: { _id: string; sessionToken: string };
let previewVersion: string;
let routed: string[] = [];
let reads = 0;
/** No read ends while this is pending. */
let released: Promise<unknown>;

const pathOf = (template: string) =>
  template.replace('{id}', owner._id).replace('{version}', previewVersion);

async function countRead() {
  reads += 1;
  await released;
}

const readPhoto = () => countRead().then(() => Buffer.from('a photo'));

/** Starts an app that counts its reads and can block them, and records what the router handles. */
beforeEach(async () => {
  // Otherwise the preview would be rendered a second after each save, with reads that belong to no request.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  const { database } = await openTestSqlite();
  released = Promise.resolve();
  const one: Database['one'] = async (statement) => {
    if (/SELECT id, name.* FROM users/.test(toSql(statement).text)) await countRead();
    return database.one(statement);
  };
  const picture = { data: Buffer.from('a picture'), width: 1, height: 1 };
  const render: Renderer['render'] = (work) => countRead().then(() => work(async () => picture));
  const LIMIT_READS_PER_MINUTE = String(READS_PER_MINUTE_MAX);
  const environment = {
    TRUST_PROXY: '127.0.0.1',
    LANGUAGES: 'ta',
    METRICS_TOKEN,
    LIMIT_READS_PER_MINUTE,
  };
  const dependencies = { renderer: { render, close: () => undefined } };
  testApp = buildTestApp({ ...database, one }, { environment, dependencies });
  vi.spyOn(testApp.dependencies.photos, 'read').mockImplementation(readPhoto);
  // The framework's hooks run only for requests that the entrance did not answer.
  testApp.app.addHook('onRequest', async ({ url }) => void routed.push(url));
  owner = await signInByApi(testApp);
  await database.run(sql`UPDATE users SET profile_photo = ${pathOf(PHOTO)}`);
  const { headers } = await testApp.app.inject(pathOf(PREVIEW));
  previewVersion = String(headers.etag).replaceAll('"', '');
  await save({ bio: 'Nothing is cached after this.' });
  origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  [routed, reads] = [[], 0];
});

afterEach(() => void vi.useRealTimers());

const save = (payload: object) => saveByApi(testApp, owner, payload);

type Sending = Partial<Record<'method' | 'path', string>> & { headers?: Record<string, string> };

/** Sends a request over a real socket. `handledBy` is 'entrance' or 'router'. */
async function sendRequest({ method = 'GET', path = CARD, headers = {} }: Sending = {}) {
  const routedBefore = routed.length;
  const sent = request(origin + pathOf(path), { method, headers }).end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  const body = (await buffer(response)).toString('latin1');
  const handledBy = routed.length > routedBefore ? 'router' : 'entrance';
  // These headers differ between equal responses, or belong to the connection.
  const { date: _, connection: __, 'keep-alive': ___, ...received } = response.headers;
  return { handledBy, status: response.statusCode, headers: received, body };
}

/** Sends a request to the router and to the entrance. Returns the response, which must be the same. */
async function sendToBoth(options: Sending) {
  // The entrance leaves a request with this header to the router.
  const headers = { ...options.headers, 'content-length': '0' };
  const router = await sendRequest({ ...options, headers });
  expect(router.handledBy).toBe('router');
  const entrance = await sendRequest(options);
  expect(entrance).toEqual({ ...router, handledBy: 'entrance' });
  return entrance;
}

const requestCounts = () => readMetric(testApp, 'tessera_http_request_duration_seconds_count');

const PATHS = [...KINDS.map(([path]) => path), '/privacy_policy'];

test.each(PATHS)('entrance: %s has headers, body and metrics of the router', async (path) => {
  // The router answers until the response is cached.
  const first = await sendRequest({ path });
  expect(first.handledBy).toBe('router');
  expect(await sendRequest({ path })).toEqual({ ...first, handledBy: 'entrance' });
  for (const encoding of ['br', 'gzip', 'identity']) {
    const headers = { 'accept-encoding': encoding };
    const get = await sendToBoth({ path, headers });
    expect([get.status, get.body.length > 0]).toEqual([OK, true]);
    expect(await sendToBoth({ path, headers, method: 'HEAD' })).toEqual({ ...get, body: '' });
  }
  const statuses = [];
  for (const tag of [String(first.headers['etag']), '*', '"x"'])
    statuses.push((await sendToBoth({ path, headers: { 'if-none-match': tag } })).status);
  expect(statuses).toEqual([304, 304, OK]);
  const before = await requestCounts();
  await sendToBoth({ path, method: 'HEAD' });
  const grown = Object.entries(await requestCounts())
    .map(([labels, count]) => [labels, count - (before[labels] ?? 0)] as const)
    .filter(([labels, growth]) => growth > 0 && !labels.includes('/metrics'));
  // The router answered one of these two requests.
  expect(grown).toEqual([[expect.stringContaining('method="HEAD"'), 2]]);
});

/** Returns the headers of a reader behind two proxies who sends a false X-Forwarded-For. */
const from = (address: string, claimed = 1) => ({
  'x-forwarded-for': `198.51.100.${claimed}, ${address}, 127.0.0.1`,
});

test.each(KINDS)('entrance: %s is read once, dropped by a save, and limited', async (...kind) => {
  const [path, expectedReads] = kind;
  const release = new EventEmitter();
  released = once(release, 'released');
  const pending = Array.from({ length: 20 }, () => sendRequest({ path }));
  await waitUntil(() => routed.length === pending.length);
  release.emit('released');
  const responses = await Promise.all(pending);
  expect(new Set(responses.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
  expect(reads).toBe(expectedReads);

  expect((await sendRequest({ path })).handledBy).toBe('entrance');
  await save({ bio: 'another' });
  expect((await sendRequest({ path })).handledBy).toBe('router');

  const answers = [];
  for (let count = 0; count <= READS_PER_MINUTE_MAX; count += 1) {
    const headers = from('203.0.113.7', count);
    const { status, handledBy } = await sendRequest({ path, headers });
    answers.push(`${status} ${handledBy}`);
  }
  const allowed = Array<string>(READS_PER_MINUTE_MAX).fill('200 entrance');
  expect(answers).toEqual([...allowed, '429 router']);
  expect((await sendRequest({ path, headers: from('203.0.113.8') })).status).toBe(OK);
});

test('entrance: a card under two hosts has the address of each, and the language of each visitor', async () => {
  const visitors = [
    ['one.example', 'ta'],
    ['two.example', 'ta'],
    ['one.example', 'en'],
  ] as const;
  for (const [host, language] of [...visitors, ...visitors]) {
    const { headers, body } = await sendRequest({ headers: { host, 'accept-language': language } });
    expect(headers['content-language']).toBe(language);
    expect(body).toContain(`rel="canonical" href="http://${host}${pathOf(CARD)}"`);
  }
  expect(routed).toHaveLength(visitors.length);
});

test('entrance: what is for one request is not stored: of an Authorization header, of a scan, or no-store', async () => {
  const { app } = testApp;
  for (const path of [CARD, `/api${CARD}`, '/privacy_policy']) {
    for (let count = 0; count < 2; count += 1)
      expect((await sendRequest({ path, headers: { authorization: 'x' } })).status).toBe(OK);
    const stored = ['', origin].map((one) => app.responses.lookup(pathOf(path), one, 'en'));
    expect([path, ...stored]).toEqual([path, null, null]);
    expect((await sendRequest({ path })).handledBy).toBe('router');
    expect((await sendRequest({ path, headers: { cookie: 'a=b' } })).handledBy).toBe('entrance');
  }
  const scanned = `${CARD}?s=${'A'.repeat(22)}`;
  for (let count = 0; count < 2; count += 1)
    expect((await sendRequest({ path: scanned })).handledBy).toBe('router');
  await save({ phone: '' });
  for (let count = 0; count < 2; count += 1) {
    const { handledBy, headers } = await sendRequest();
    expect([handledBy, headers['cache-control']]).toEqual(['router', 'no-store']);
  }
});

test('entrance: answers the public routes of the route table, and no other', async () => {
  const { app } = testApp;
  const answered: string[] = [];
  for (const { url } of app.routeTable.filter(({ method }) => method === 'GET')) {
    const path = url.replace('/photos/:name', PHOTO).replace(/:\w+/, '{id}');
    await sendRequest({ path });
    if ((await sendRequest({ path })).handledBy === 'entrance') answered.push(url);
  }
  const known = app.routeTable.filter(({ method, url }) => method === 'GET' && !url.includes('@'));
  const expected = known.filter(({ isPublic }) => isPublic).map(({ url }) => url);
  expect(answered.toSorted()).toEqual(expected.toSorted());
  expect(answered.length).toBeGreaterThan(8);
});

test('entrance: other methods, paths and headers are handled by the router, and policies are no read', async () => {
  await sendToBoth({});
  for (let count = 0; count < READS_PER_MINUTE_MAX; count += 1)
    expect((await sendRequest({ path: '/privacy_policy' })).status).toBe(OK);
  const others: Sending[] = [
    { method: 'POST' },
    { method: 'OPTIONS' },
    { path: `${CARD}/` },
    { path: `${CARD}?again=1` },
    { path: '/user/nobody' },
    { headers: { 'x-forwarded-proto': 'https' } },
    { headers: { 'x-forwarded-host': 'cards.example' } },
  ];
  for (const options of others)
    expect([options, (await sendRequest(options)).handledBy]).toEqual([options, 'router']);
  // A compressed request is rejected before the hook that records requests.
  expect((await sendRequest({ headers: { 'content-encoding': 'gzip' } })).status).toBe(415);
});

test('entrance: once the server has stopped listening, every request goes to the router', async () => {
  await sendRequest();
  expect((await sendRequest()).handledBy).toBe('entrance');
  const listening = vi.spyOn(testApp.app.server, 'listening', 'get').mockReturnValue(false);
  expect((await sendRequest()).handledBy).toBe('router');
  listening.mockRestore();
});
