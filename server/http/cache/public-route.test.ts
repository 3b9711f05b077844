import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';

import { HOUR_MS, SECOND_MS } from '#domain/duration.ts';
import { receiptPath } from '#domain/path.ts';
import type { Database } from '#server/adapter/database/database.ts';
import { sql } from '#server/adapter/database/sql.ts';
import type { Renderer } from '#server/adapter/image/renderer.ts';
import { buildTestApp, photoForm, saveByApi } from '#tests/support/app.ts';
import { signInByApi, uploadByApi, uploadLogoByApi } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { EXAMPLE_ENDPOINTS, EXAMPLE_ENVIRONMENT } from '#tests/support/example-requests.ts';
import { createExampleRequests } from '#tests/support/example-requests.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { createWalletKeys } from '#tests/support/wallet-keys.ts';

const HOSTS_PER_HOUR_MAX = 20;

const environment: Record<string, string> = { ...EXAMPLE_ENVIRONMENT, CONTACT_FILE: 'full' };
let database: Database;
let testApp: TestApp;
let dependencies: Partial<TestApp['dependencies']>;
let id: string;
let paths: string[];
let pictures: string[];
/** This is awaited after each read of the database and the photo store, and before each rendered picture. */
let onRead: () => unknown;
const afterRead = async <Result>(result: Result) => (await onRead(), result);

beforeAll(() => {
  const keys = createWalletKeys();
  Object.assign(environment, keys.apple);
  keys.dispose();
});

/** Starts the app with every public feature, and lists its paths. */
beforeEach(async () => {
  // Fake timers keep previews from being rendered in the background, where their reads belong to no request.
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onRead = () => undefined;
  ({ database } = await openTestSqlite());
  const reading: Database = {
    ...database,
    one: (statement) => database.one<never>(statement).then(afterRead),
    all: (statement) => database.all<never>(statement).then(afterRead),
  };
  const picture = { data: Buffer.from('a picture'), width: 1, height: 1 };
  const render: Renderer['render'] = (work) => work(() => afterRead(picture));
  const renderer = { render, close: () => undefined };
  testApp = buildTestApp(reading, { environment, dependencies: { renderer } });
  const { app } = testApp;
  const { photos } = testApp.dependencies;
  const read = photos.read.bind(photos);
  photos.read = (name) => read(name).then(afterRead);
  dependencies = { renderer, photos };
  const owner = await signInByApi(testApp);
  id = owner._id;
  const photo = await twoHalves({ width: 120, height: 120 }).png().toBuffer();
  await uploadByApi(testApp, owner, photoForm(id, photo));
  const { logo } = (await uploadLogoByApi(testApp, owner, photoForm(id, photo))).json<{
    logo: string;
  }>();
  const { profilePhoto } = (await saveByApi(testApp, owner, FULL_CARD)).json<{
    profilePhoto: string;
  }>();
  const { headers } = await app.inject(`/user/${id}/preview.jpg`);
  const version = String(headers.etag).replaceAll('"', '');
  paths = app.routeTable
    .filter(({ method, url }) => method === 'GET' && /:(userID|id|name)/.test(url))
    // Leaves out files that belong to nobody, and calls of owners.
    .filter(({ url }) => !/^\/(assets|icons)\//.test(url))
    .filter(({ endpoint }) => endpoint === null || endpoint.access === 'open')
    .map(({ url }) => url.replace(/:(userID|id)/, id).replace('/photos/:name', profilePhoto));
  pictures = [profilePhoto, logo, `/user/${id}/preview.jpg?v=${version}`];
  paths.push(`/user/${id}?lang=ta`, ...pictures.slice(1));
});

afterEach(() => void vi.useRealTimers());

test('public route: what passes the entrance is about a card, or a policy; no receipt, live stream or call of an owner', () => {
  const { routeTable } = testApp.app;
  const urls = routeTable.filter(({ isPublic }) => isPublic).map(({ url }) => url);
  expect([...new Set(urls)].toSorted()).toEqual([
    '/:address(^@.+$)',
    '/Cancellation_Refund',
    '/Shipping_delivery',
    '/api/user/:id',
    '/photos/:name',
    '/privacy_policy',
    '/terms_conditions',
    '/user/:userID',
    '/user/:userID/card.pkpass',
    '/user/:userID/contact.vcf',
    '/user/:userID/photo.jpg',
    '/user/:userID/preview.jpg',
    '/user/:userID/qr.svg',
  ]);
  const others = routeTable.filter(({ isPublic }) => !isPublic).map(({ url }) => url);
  const streams = [receiptPath(':token'), '/api/user/:id/live'];
  expect(others).toEqual(expect.arrayContaining(streams));
});

test('public route: what was read before a block is neither stored nor sent as storable, wherever the block falls', async () => {
  const { app } = testApp;
  const origin = await app.listen({ host: '127.0.0.1', port: 0 });
  const storable: string[] = [];
  const statuses = new Set<number>();
  for (const path of paths) {
    for (let blockedAfter = 1; ; blockedAfter += 1) {
      await database.run(sql`UPDATE users SET blocked_at = NULL`);
      app.responses.dropAll();
      let reads = 0;
      onRead = async () => {
        reads += 1;
        if (reads !== blockedAfter) return;
        await database.run(sql`UPDATE users SET blocked_at = 1`);
        app.responses.drop(id);
      };
      const first = await fetch(origin + path);
      await first.arrayBuffer();
      if (reads < blockedAfter) break;
      const then = await fetch(origin + path);
      await then.arrayBuffer();
      const answers = [first, then].map(
        ({ status, headers }) => `${status} ${headers.get('cache-control')}`,
      );
      statuses.add(first.status);
      // A busy machine answers 503 for a pass that is not signed in time. The late reads of that request may be
      // counted as those of the next one, which then answers 410, because its card is blocked too early.
      if (!/^(?:200|410|503) no-store,410 no-store$/.test(answers.join()))
        storable.push(`${path} ${blockedAfter}: ${answers.join()}`);
    }
  }
  expect(storable).toEqual([]);
  expect(statuses).toContain(200);
  expect(paths.length).toBeGreaterThanOrEqual(10);
});

test('public route: a CDN keeps a page for a minute and a picture for an hour, a browser a picture for a year', async () => {
  const shared = { ...environment, PUBLIC_URL: 'https://cards.example' };
  const { app } = buildTestApp(database, { environment: shared, dependencies });
  const base = `/user/${id}`;
  // The version of a picture includes PUBLIC_URL.
  const { etag } = (await app.inject(`${base}/preview.jpg`)).headers;
  const version = String(etag).replaceAll('"', '');
  const expected = {
    [base]: 'public, max-age=0, must-revalidate, s-maxage=60',
    [`${base}?lang=ta`]: 'public, max-age=0, must-revalidate, s-maxage=60',
    [`/api${base}`]: 'no-store',
    [`${base}/contact.vcf`]: 'no-cache',
    [`${base}/photo.jpg`]: 'public, max-age=300',
    [`${base}/qr.svg`]: 'public, max-age=300',
    ...Object.fromEntries(
      pictures.map((path) => [
        path.replace(/v=.*/, `v=${version}`),
        'public, max-age=31536000, immutable, s-maxage=3600',
      ]),
    ),
  };
  const actual: Record<string, unknown> = {};
  for (const path of Object.keys(expected))
    actual[path] = (await app.inject(path)).headers['cache-control'];
  expect(actual).toEqual(expected);
});

test('public route: after every call that changes what visitors get, the stored responses are the new ones', async () => {
  const { app, clock } = testApp;
  const rests = ['', '/contact.vcf', '/photo.jpg', '?lang=ta'];
  const read = async () => {
    const urls = [...rests.map((rest) => `/user/${id}${rest}`), `/api/user/${id}`];
    const responses = await Promise.all(urls.map((url) => app.inject({ url })));
    return responses.map(({ statusCode, body }) => `${statusCode} ${body}`).join();
  };
  const contact = { newestContact: 'c2', oldestContact: 'c1' };
  const requestsFor = createExampleRequests(testApp, { userId: id, ...contact });
  const changing = new Set<string>();
  const stale: string[] = [];
  let before = await read();
  for (const endpoint of EXAMPLE_ENDPOINTS.filter(({ method }) => method === 'POST')) {
    for await (const { name, options } of requestsFor(endpoint)) {
      // The clock advances so that no limit is reached.
      clock.advance(SECOND_MS);
      await app.inject(options);
      const stored = await read();
      app.responses.dropAll();
      const rendered = await read();
      if (rendered !== before) changing.add(endpoint.path);
      if (rendered !== stored) stale.push(name);
      before = rendered;
    }
  }
  expect(stale).toEqual([]);
  expect(changing.size).toBeGreaterThan(4);
});

const ofHost = (count: number) => `host-${count}.example`;

const request = (url: string, host = 'cards.example', remoteAddress = '203.0.113.7') =>
  testApp.app.inject({ url, headers: { host }, remoteAddress });

test('public route: no shared cache stores what has the Host of the request', async () => {
  const shared: string[] = [];
  const differing: string[] = [];
  for (const path of paths) {
    const { headers, rawPayload } = await request(path, 'one.example');
    const other = await request(path, 'two.example');
    if (rawPayload.equals(other.rawPayload)) continue;
    differing.push(path);
    if (!/^(private|no-store)/.test(String(headers['cache-control']))) shared.push(path);
  }
  expect(shared).toEqual([]);
  expect(differing.length).toBeGreaterThanOrEqual(5);
});

test('public route: an address brings 20 new hosts an hour, of all paths together', async () => {
  const { clock } = testApp;
  const statuses = [];
  for (let count = 0; count <= HOSTS_PER_HOUR_MAX; count += 1) {
    const path = count % 2 === 0 ? `/user/${id}` : `/user/${id}/qr.svg`;
    statuses.push((await request(path, ofHost(count))).statusCode);
  }
  expect(statuses).toEqual([...Array<number>(HOSTS_PER_HOUR_MAX).fill(200), 429]);
  // The first host is known, the second is not used in the response, and the third comes from another IP address.
  expect((await request(`/user/${id}/contact.vcf`, ofHost(3))).statusCode).toBe(200);
  expect((await request(`/user/${id}/photo.jpg`, ofHost(50))).statusCode).toBe(200);
  expect((await request(`/user/${id}`, ofHost(20), '203.0.113.8')).statusCode).toBe(200);
  clock.advance(HOUR_MS);
  expect((await request(`/user/${id}`, ofHost(51))).statusCode).toBe(200);
});
