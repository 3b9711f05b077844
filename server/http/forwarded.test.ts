import { afterEach, beforeEach, expect, test } from 'vitest';

import '#server/status/routes.ts';
import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { sendBytes } from '#tests/support/raw-client.ts';

const PROXY = '127.0.0.1';
const PUBLIC_URL = 'https://cards.example';
const HSTS = 'max-age=31536000';

let testDatabase: TestDatabase;
const apps: ReturnType<typeof buildTestApp>['app'][] = [];

beforeEach(async () => {
  testDatabase = await openTestSqlite();
});
afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

let phones = 0;

/** Signs in with a new phone, because a phone gets its next code after a pause. */
function signIn(testApp: ReturnType<typeof buildTestApp>) {
  phones += 1;
  return signInByApi(testApp, `+9198765${String(phones).padStart(5, '0')}`);
}

function build(environment: Record<string, string>) {
  const testApp = buildTestApp(testDatabase.database, { environment });
  apps.push(testApp.app);
  return testApp;
}

/** Builds an app with one card; returns a function that requests it through the proxy. */
async function buildWithCard(environment: Record<string, string>) {
  const testApp = build(environment);
  const { _id } = await signIn(testApp);
  const get = (headers: Record<string, string>, url = `/user/${_id}`) =>
    testApp.app.inject({ url, headers: { host: 'cards.example', ...headers } });
  return { ...testApp, get };
}

const INVALID: Record<string, string>[] = [
  { 'x-forwarded-proto': 'javascript' },
  { 'x-forwarded-proto': 'https://evil.example/?' },
  { 'x-forwarded-proto': 'ftp' },
  { 'x-forwarded-host': 'a"><script>' },
  { 'x-forwarded-host': 'evil.example/path' },
  { 'x-forwarded-host': 'evil.example:99999' },
  { 'x-forwarded-host': 'user@evil.example' },
  { 'x-forwarded-host': '1.2.3.4.5' },
];

test.each(INVALID)('forwarded headers: %j of a proxy is 400 on every path', async (headers) => {
  for (const publicUrl of ['', PUBLIC_URL]) {
    const { get } = await buildWithCard({ TRUST_PROXY: PROXY, PUBLIC_URL: publicUrl });
    const statuses = [];
    for (const url of [undefined, '/api/openapi.json', '/login', '/healthz']) {
      statuses.push((await get(headers, url)).statusCode);
    }
    expect(statuses).toEqual([400, 400, 400, 400]);
    expect((await get(headers, '/api/user/x')).json().error).toBe('invalid_input');
  }
});

test('forwarded headers: http, https and a host with a port are accepted', async () => {
  const { get } = await buildWithCard({ TRUST_PROXY: PROXY });
  const valid: Record<string, string>[] = [
    { 'x-forwarded-proto': 'http' },
    { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'other.example:8443' },
    { 'x-forwarded-host': '[2001:db8::1]:3000' },
    { 'x-forwarded-host': 'inner.example, outer.example' },
  ];
  for (const headers of valid) expect((await get(headers)).statusCode).toBe(200);
});

test('forwarded headers: those of a stranger are ignored', async () => {
  const { get } = await buildWithCard({});
  for (const headers of INVALID) {
    const response = await get(headers);
    expect([response.statusCode, response.body.includes('http://cards.example/user/')]).toEqual([
      200,
      true,
    ]);
  }
});

test('card page: without PUBLIC_URL no shared cache may store it', async () => {
  const { get } = await buildWithCard({});
  expect((await get({})).headers['cache-control']).toBe('private, max-age=0, must-revalidate');
  const named = await buildWithCard({ PUBLIC_URL });
  expect((await named.get({})).headers['cache-control']).toBe(
    'public, max-age=0, must-revalidate, s-maxage=60',
  );
});

test('forwarded headers: an invalid one is 400 also for a card in the cache', async () => {
  const testApp = build({ TRUST_PROXY: PROXY, PUBLIC_URL });
  const { _id } = await signIn(testApp);
  const port = await listen(testApp);
  const get = async (headers: Record<string, string>) =>
    (await fetch(`http://127.0.0.1:${port}/user/${_id}`, { headers })).status;
  const usual = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'cards.example' };
  expect([await get(usual), await get(usual)]).toEqual([200, 200]);
  for (const headers of INVALID) expect(await get({ ...usual, ...headers })).toBe(400);
});

async function listen({ app }: Pick<ReturnType<typeof buildTestApp>, 'app'>): Promise<number> {
  return Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
}

const statusOf = (response: string) => Number(response.split(' ')[1]);

test('Host header: two of them are 400, even for a card in the cache', async () => {
  const testApp = build({});
  const { _id } = await signIn(testApp);
  const port = await listen(testApp);
  const get = (path: string, hosts: string[]) =>
    sendBytes(
      port,
      [
        `GET ${path} HTTP/1.1`,
        ...hosts.map((host) => `Host: ${host}`),
        'Accept-Encoding: br',
        'Connection: close',
        '\r\n',
      ].join('\r\n'),
    );
  const card = `/user/${_id}`;
  for (const path of [card, card, '/healthz', '/login', `/api${card}`]) {
    expect(statusOf(await get(path, ['cards.example']))).toBe(200);
    expect(statusOf(await get(path, ['cards.example', 'evil.example']))).toBe(400);
    expect(statusOf(await get(path, ['cards.example', 'cards.example']))).toBe(400);
  }
});

test('health: a path with a slash at its end is the same, also while the node drains', async () => {
  const testApp = build({});
  const port = await listen(testApp);
  const read = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    return [response.status, response.headers.get('retry-after'), await response.json()];
  };
  for (const path of ['/readyz', '/readyz/', '/healthz', '/healthz/']) {
    expect((await read(path))[0]).toBe(200);
  }
  testApp.app.drain();
  const draining = [503, '2', expect.objectContaining({ status: 'not ready', why: ['draining'] })];
  expect([await read('/readyz'), await read('/readyz/')]).toEqual([draining, draining]);
  const alive = [200, null, { status: 'ok', version: expect.any(String) }];
  expect([await read('/healthz'), await read('/healthz/')]).toEqual([alive, alive]);
});

test('HSTS: every response has it if PUBLIC_URL is https, otherwise none', async () => {
  for (const [publicUrl, expected] of [
    [PUBLIC_URL, HSTS],
    ['http://cards.example', null],
    ['', null],
  ] as const) {
    const testApp = build(publicUrl === '' ? {} : { PUBLIC_URL: publicUrl });
    const { _id } = await signIn(testApp);
    const port = await listen(testApp);
    const origin = `http://127.0.0.1:${port}`;
    const card = await fetch(`${origin}/user/${_id}`);
    const etag = card.headers.get('etag') ?? '';
    const responses = [
      card,
      // From the fast path, and 304.
      await fetch(`${origin}/user/${_id}`),
      await fetch(`${origin}/user/${_id}`, { headers: { 'if-none-match': etag } }),
      await fetch(`${origin}/user/${_id}/contact.vcf`),
      await fetch(`${origin}/api/user/${_id}`),
      await fetch(`${origin}/api/user/x`),
      await fetch(`${origin}/login`),
      await fetch(`${origin}/no/such/page`),
      await fetch(`${origin}/%zz`),
      await fetch(`${origin}/readyz`),
      await fetch(`${origin}/api/profile/addContact`, { method: 'POST', body: '{' }),
    ];
    expect(responses.map(({ headers }) => headers.get('strict-transport-security'))).toEqual(
      responses.map(() => expected),
    );
    const unreadable = await sendBytes(port, 'not a request\r\n\r\n');
    const header = /^strict-transport-security: (.*)\r$/im.exec(unreadable)?.[1] ?? null;
    expect([unreadable.split(' ')[1], header]).toEqual(['400', expected]);
  }
});
