import { expect, test } from 'vitest';

import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { testPhone, requestCode } from '#tests/support/codes.ts';
import { sendBytes } from '#tests/support/raw-client.ts';
import { words } from '#tests/support/words.ts';

const PROXY = '127.0.0.1';
const PUBLIC_URL = 'https://cards.example';

const { database, testApp } = useTestApp();
const owner = useOwner(testApp);

const build = (environment: Record<string, string>) => buildTestApp(database, { environment });

const listen = async ({ app }: Pick<TestApp, 'app'>) =>
  Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);

const INVALID: Record<string, string>[] = [
  ...words('javascript https://evil.example/? ftp').map((name) => ({ 'x-forwarded-proto': name })),
  ...words('a"><script> evil.example/path evil.example:99999 user@evil.example 1.2.3.4.5').map(
    (host) => ({ 'x-forwarded-host': host }),
  ),
];

const VALID: Record<string, string>[] = [
  { 'x-forwarded-proto': 'http' },
  { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'other.example:8443' },
  { 'x-forwarded-host': '[2001:db8::1]:3000' },
  { 'x-forwarded-host': 'inner.example, outer.example' },
];

test.each(['', PUBLIC_URL])('forwarded headers: an invalid one is 400 (%j)', async (publicUrl) => {
  const port = await listen(build({ TRUST_PROXY: PROXY, PUBLIC_URL: publicUrl }));
  const usual = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'cards.example' };
  const get = (headers: Record<string, string>, path = `/user/${owner._id}`) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers: { ...usual, ...headers } });
  for (const headers of [...VALID, ...VALID]) expect((await get(headers)).status).toBe(200);
  for (const headers of INVALID) {
    const statuses = [];
    for (const path of [undefined, '/api/openapi.json', '/login', '/healthz'])
      statuses.push((await get(headers, path)).status);
    expect([headers, statuses]).toEqual([headers, [400, 400, 400, 400]]);
    const call = await get(headers, '/api/user/x');
    expect(await call.json()).toMatchObject({ error: 'invalid_input' });
  }
});

test('Host header: two of them are 400, even for a card in the cache', async () => {
  const port = await listen(testApp);
  const get = async (path: string, hosts: string[]) => {
    const lines = hosts.map((host) => `Host: ${host}\r\n`).join('');
    const head = `GET ${path} HTTP/1.1\r\n${lines}Accept-Encoding: br\r\nConnection: close\r\n\r\n`;
    return Number((await sendBytes(port, head)).split(' ')[1]);
  };
  const card = `/user/${owner._id}`;
  for (const path of [card, card, '/healthz', '/login', `/api${card}`]) {
    expect(await get(path, ['cards.example'])).toBe(200);
    for (const second of ['evil.example', 'cards.example'])
      expect(await get(path, ['cards.example', second])).toBe(400);
  }
});

test.each([
  [PUBLIC_URL, 'max-age=31536000'],
  ['http://cards.example', null],
  ['', null],
])('HSTS: with PUBLIC_URL %j every response has %j', async (publicUrl, expected) => {
  const port = await listen(build({ PUBLIC_URL: publicUrl }));
  const read = (path: string, options: RequestInit = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, options);
  const card = `/user/${owner._id}`;
  const first = await read(card);
  const responses = [
    first,
    // The response to this one is a 304.
    await read(card, { headers: { 'if-none-match': first.headers.get('etag') ?? '' } }),
    await read('/api/profile/addContact', { method: 'POST', body: '{' }),
  ];
  // The entrance answers the first of these from its stored responses.
  const cards = [card, `${card}/contact.vcf`, `/api${card}`];
  for (const path of [...cards, '/api/user/x', '/login', '/no', '/%zz', '/readyz'])
    responses.push(await read(path));
  expect(responses.map(({ headers }) => headers.get('strict-transport-security'))).toEqual(
    responses.map(() => expected),
  );
  const unreadable = await sendBytes(port, 'not a request\r\n\r\n');
  const header = /^strict-transport-security: (.*)\r$/im.exec(unreadable)?.[1] ?? null;
  expect([unreadable.split(' ')[1], header]).toEqual(['400', expected]);
});

const GATEWAY = '192.0.2.1';
const DIRECT = { host: 'cards.example.com' };
const FORWARDED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'other.example', ...DIRECT };
const TRUSTED = { TRUST_PROXY: GATEWAY };
const PUBLIC = { PUBLIC_URL: 'https://cards.example/', TRUST_PROXY: GATEWAY };

/** Without PUBLIC_URL, the request's origin is used. An invalid Host is 400. A stranger's headers are ignored. */
test.each<[Record<string, string>, Record<string, string>, string | number]>([
  [{}, DIRECT, 'http://cards.example.com'],
  [{}, { host: 'a"><script>' }, 400],
  [PUBLIC, DIRECT, 'https://cards.example'],
  [PUBLIC, FORWARDED, 'https://cards.example'],
  [{ TRUST_PROXY: `10.0.0.0/8, ${GATEWAY}` }, FORWARDED, 'https://other.example'],
  [{ TRUST_PROXY: '10.0.0.0/8' }, FORWARDED, 'http://cards.example.com'],
  [{}, FORWARDED, 'http://cards.example.com'],
  [
    TRUSTED,
    { host: 'cards.example.com:443', 'x-forwarded-proto': 'https' },
    'https://cards.example.com',
  ],
  [TRUSTED, { ...FORWARDED, 'x-forwarded-proto': 'HTTPS' }, 'https://other.example'],
  [TRUSTED, { ...FORWARDED, 'x-forwarded-host': 'Other.EXAMPLE:443' }, 'https://other.example'],
  [TRUSTED, { ...FORWARDED, 'x-forwarded-host': 'other.example:80' }, 'https://other.example'],
  [TRUSTED, { ...FORWARDED, 'x-forwarded-host': 'other.example:0443' }, 'https://other.example'],
  [TRUSTED, { 'x-forwarded-host': 'other.example:443' }, 'http://other.example'],
  [
    TRUSTED,
    { ...FORWARDED, 'x-forwarded-host': 'inner:1, other.example:8443' },
    'https://other.example:8443',
  ],
  [{}, { host: 'CARDS.example.com.:80' }, 'http://cards.example.com'],
  [{}, { host: '[2001:DB8::0:1]:80' }, 'http://[2001:db8::1]'],
  [{}, { ...INVALID[0], 'x-forwarded-host': 'a"><script>', ...DIRECT }, 'http://cards.example.com'],
])('origin: with %j a page for %j is of %s', async (environment, headers, expected) => {
  const url = `/user/${owner._id}`;
  const page = await build(environment).app.inject({ url, headers, remoteAddress: GATEWAY });
  const [, address = ''] = /property="og:url" content="([^"]*)"/.exec(page.body) ?? [];
  expect(address.replace(url, '') || page.statusCode).toBe(expected);
});

test.each<[Record<string, string>, Record<string, string>, boolean]>([
  [TRUSTED, FORWARDED, true],
  [TRUSTED, DIRECT, false],
  [{}, FORWARDED, false],
  [PUBLIC, DIRECT, true],
])('device cookie: with %j and %j is for TLS only: %j', async (environment, headers, isSecure) => {
  const app = build(environment);
  const { right } = await requestCode(app, { phone: testPhone(1) });
  const verify = { method: 'POST', url: '/api/otp/verify', payload: right, headers } as const;
  const reply = await app.app.inject({ ...verify, remoteAddress: GATEWAY });
  expect(reply.statusCode).toBe(200);
  expect(String(reply.headers['set-cookie']).endsWith('; Secure')).toBe(isSecure);
});

test('origin: however a host is written, the page, the QR code and the contact file are the same', async () => {
  const { app } = build(TRUSTED);
  const get = async (host: string, path: string) => {
    const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': host };
    const url = `/user/${owner._id}${path}`;
    return (await app.inject({ url, headers, remoteAddress: GATEWAY })).body;
  };
  for (const path of ['', '/qr.svg', '/contact.vcf']) {
    const expected = await get('cards.example', path);
    for (const host of ['cards.example:443', 'CARDS.Example', 'Cards.Example.:443'])
      expect([host, path, await get(host, path)]).toEqual([host, path, expected]);
  }
});

const CODES_PER_HOUR = 5;
const ATTEMPTS = CODES_PER_HOUR + 3;
const SPOOFER = '198.51.100.9';
const claimed = (index: number) => `203.0.113.${index}`;
const withPort = (index: number) => `203.0.113.77:${50_001 + index}`;
const withPort6 = (index: number) => `[2001:db8::7]:${50_001 + index}`;

test.each([
  ['visitors behind a trusted proxy', GATEWAY, GATEWAY, claimed, ATTEMPTS],
  ['a stranger who claims others', GATEWAY, SPOOFER, claimed, CODES_PER_HOUR],
  ['a stranger without a proxy', '', SPOOFER, claimed, CODES_PER_HOUR],
  // The proxy has added the spoofer's real IP address to the X-Forwarded-For.
  ['a spoofer', GATEWAY, GATEWAY, (at: number) => `${claimed(at)}, ${SPOOFER}`, CODES_PER_HOUR],
  ['a visitor whose port changes', GATEWAY, GATEWAY, withPort, CODES_PER_HOUR],
  ['an IPv6 visitor whose port changes', GATEWAY, GATEWAY, withPort6, CODES_PER_HOUR],
  ['what is no address as the proxy', GATEWAY, GATEWAY, (at: number) => `_${at}`, CODES_PER_HOUR],
] as const)('address limit: counts %s', async (...row) => {
  const [, TRUST_PROXY, remoteAddress, forwardedFor, expected] = row;
  const environment = { TRUST_PROXY, LIMIT_CODES_PER_HOUR: String(CODES_PER_HOUR) };
  const { app } = build(environment);
  const statuses = [];
  for (let index = 0; index < ATTEMPTS; index += 1) {
    const payload = { appId: 'tessera', phone: testPhone(index) };
    const call = { method: 'POST', url: '/api/otp/send', payload, remoteAddress } as const;
    const headers = { 'x-forwarded-for': forwardedFor(index) };
    statuses.push((await app.inject({ ...call, headers })).statusCode);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(expected);
});
