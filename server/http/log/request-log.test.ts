import { once } from 'node:events';
import { request } from 'node:http';

import { beforeEach, expect, test, vi } from 'vitest';

import { DAY_MS } from '#domain/duration.ts';
import '#server/feature/status/routes.ts';
import { buildTestApp, signInByApi, useTestApp } from '#tests/support/app.ts';
import type { TestApp } from '#tests/support/app.ts';
import { sendBytes } from '#tests/support/raw-client.ts';

const CLIENT = '203.0.113.7';
const PROXY = '127.0.0.1';
const GENERATED_ID = /^[\w-]{12}-[0-9a-z]+$/;

type Line = Readonly<Record<string, unknown>>;

const { database } = useTestApp();
let testApp: TestApp;
let written: string[];
beforeEach(() => void (testApp = open()));

function open(environment: Record<string, string> = {}) {
  written = [];
  return buildTestApp(database, {
    environment: { NODE_NAME: 'node "a"', TRUST_PROXY: PROXY, ...environment },
    dependencies: { writeRequestLine: (line) => void written.push(line) },
  });
}

const isWritten = (count: number) =>
  vi.waitUntil(() => written.length >= count, { timeout: 30_000, interval: 10 });
const lines = () => written.map((line) => JSON.parse(line) as Line);

/** Sends a request by injection, which goes to the router. Returns its lines. */
async function linesOf(url: string, headers: Record<string, string> = {}): Promise<Line[]> {
  written = [];
  await testApp.app.inject({ url, headers: { 'x-forwarded-for': CLIENT, ...headers } });
  return lines();
}

/** Sends a path as it is, which `inject` would escape. */
async function lineOf(path: string, headers = ''): Promise<Line | undefined> {
  written = [];
  const { app } = testApp;
  const [address = await app.listen({ host: PROXY, port: 0 })] = app.addresses();
  const port = typeof address === 'string' ? Number(new URL(address).port) : address.port;
  const head = `GET ${path} HTTP/1.1\r\nHost: test\r\n${headers}Connection: close\r\n\r\n`;
  await sendBytes(port, head);
  await isWritten(1);
  return lines()[0];
}

const keyOf = async (client = CLIENT) =>
  (await linesOf('/robots.txt', { 'x-forwarded-for': client }))[0]?.['address'];

test('request log: has one line of JSON with these keys in this order', async () => {
  await linesOf('/robots.txt?phone=9876543210');
  const changing = /(?<="reqId":")[\w-]{12}-\w+|(?<="ms":)[\d.]+|(?<="address":")[\w-]{16}(?=")/g;
  expect(written.map((line) => line.replace(changing, '…'))).toEqual([
    '{"level":"info","time":"2026-01-15T09:00:00.000Z","reqId":"…","node":"node \\"a\\"",' +
      '"method":"GET","path":"/robots.txt","status":200,"ms":…,"address":"…"}\n',
  ]);
});

test('request log: the entrance writes the same line as the router', async () => {
  const { _id } = await signInByApi(testApp);
  const origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 });
  const paths = [`/user/${_id}`, `/api/user/${_id}`, `/user/${_id}/contact.vcf`, '/privacy_policy'];
  for (const path of paths) {
    written = [];
    const headers = { 'x-forwarded-for': CLIENT, 'x-request-id': 'of-the-proxy' };
    // The router answers the first request.
    for (let count = 0; count < 2; count += 1)
      await (await fetch(origin + path, { headers })).text();
    await fetch(origin + path, { headers, method: 'HEAD' });
    await isWritten(3);
    const [router, entrance, head] = lines();
    const ms = expect.any(Number);
    expect(router).toMatchObject({ path, status: 200, reqId: 'of-the-proxy', method: 'GET' });
    expect(entrance).toEqual({ ...router, ms });
    expect(head).toEqual({ ...router, ms, method: 'HEAD' });
    expect(lines()).toHaveLength(3);
  }
});

test('request log: has rejected and unknown requests', async () => {
  for (const [path, status] of [
    ['/no/such/place', 404],
    ['/%zz', 400],
  ] as const)
    expect(await linesOf(path)).toMatchObject([{ path, status }]);
});

test('request log: has a request whose client closed the connection, with status 499', async () => {
  testApp.app.get('/slow', () => new Promise(() => undefined));
  const sent = request(`${await testApp.app.listen({ host: '127.0.0.1', port: 0 })}/slow`).end();
  sent.on('error', () => undefined);
  await once(testApp.app.server, 'request');
  sent.destroy();
  await isWritten(1);
  expect(lines()).toMatchObject([{ path: '/slow', status: 499 }]);
});

test('request log: a path is escaped, and has no phone and no token', async () => {
  const port = Number(new URL(await testApp.app.listen({ host: '127.0.0.1', port: 0 })).port);
  for (const path of ['/a"b\\', '/call/+919876543210', `/api/none/${'q'.repeat(43)}`])
    await sendBytes(port, `GET ${path} HTTP/1.1\r\nHost: test\r\nConnection: close\r\n\r\n`);
  await isWritten(3);
  const paths = lines().map(({ path }) => path);
  expect(paths).toEqual(['/a"b\\', '/call/[hidden]', '/api/none/[hidden]']);
});

test('request log: the health of the node is logged only if it fails, also with a slash at the end of the path', async () => {
  expect([...(await linesOf('/healthz')), ...(await linesOf('/readyz/'))]).toEqual([]);
  testApp.app.drain();
  expect(await linesOf('/healthz/')).toEqual([]);
  expect(await linesOf('/readyz/')).toMatchObject([{ path: '/readyz/', status: 503 }]);
});

test('request log: the key of an address changes every day; a /64 has one key', async () => {
  const key = await keyOf();
  expect(await keyOf()).toBe(key);
  const others = [];
  for (const address of ['203.0.113.8', '2001:db8::1', '2001:db8::2'])
    others.push(await keyOf(address));
  expect(others[1]).toBe(others[2]);
  expect(new Set([key, ...others]).size).toBe(3);
  testApp.clock.advance(DAY_MS);
  expect(await keyOf()).not.toBe(key);
});

test('request log: LOG_ADDRESS=full has the address, none has nothing', async () => {
  testApp = open({ LOG_ADDRESS: 'full' });
  expect(await keyOf()).toBe(CLIENT);
  testApp = open({ LOG_ADDRESS: 'none' });
  const [line] = await linesOf('/robots.txt');
  expect([line?.['status'], Object.hasOwn(line ?? {}, 'address')]).toEqual([200, false]);
});

test.each([
  ['203.0.113.77:50001', '203.0.113.77'],
  ['198.51.100.1, 203.0.113.77:50001, 127.0.0.1:50002', '203.0.113.77'],
  ['203.0.113.77, ', '203.0.113.77'],
  ['2001:db8::7', '2001:db8::7'],
  ['2001:db8::7:50001', '2001:db8::7'],
  ['2001:db8:0:0:0:0:0:7:80', '2001:db8:0:0:0:0:0:7'],
  ['[2001:db8::7]', '2001:db8::7'],
  ['[2001:db8::7]:50001', '2001:db8::7'],
  ['[fe80::7%eth0]:50001', 'fe80::7'],
  ['fe80::7%eth0', 'fe80::7'],
  ...['', ',', 'unknown', '_hidden', 'a"\\', '1', '203.0.113', '0x7f.1', '203.0.113.077'].map(
    (text) => [text, PROXY],
  ),
  ...[
    '203.0.113.77%x',
    '203.0.113.77:',
    '203.0.113.77:x',
    '[203.0.113.77',
    '203.0.113.777',
    '[]:80',
    ':80',
  ].map((text) => [text, PROXY]),
  ['203.0.113.77, unknown', PROXY],
  ['203.0.113.77, unknown, 127.0.0.1', PROXY],
])('request log: X-Forwarded-For %j is from %s', async (forwardedFor, expected) => {
  testApp = open({ LOG_ADDRESS: 'full' });
  expect(await keyOf(forwardedFor)).toBe(expected);
});

const slashes = (count: number) => '/'.repeat(count);
const quotes = (count: number) => '"'.repeat(count);

test('request log: a long path is cut at 200 characters, without the beginning of a phone or token', async () => {
  for (const [path = '', expected] of [
    [`/${quotes(15_000)}`, `/${quotes(199)}`],
    [`${slashes(193)}+919876543210`, slashes(193)],
    [`${slashes(180)}${'q'.repeat(43)}`, slashes(180)],
    [`/${'a'.repeat(15_000)}`, '/[hidden]'],
    [`${slashes(190)}not-longer`, `${slashes(190)}not-longer`],
  ])
    expect((await lineOf(path))?.['path']).toBe(expected);
});

test('request log: the longest line has at most 1,000 bytes', async () => {
  testApp = open({ LOG_ADDRESS: 'full', NODE_NAME: '\u{1f4c7}'.repeat(30) });
  const forwarded = `X-Forwarded-For: [${'2001:'.repeat(7)}2001]:50001\r\n`;
  await lineOf(`/${'"'.repeat(15_000)}`, `${forwarded}X-Request-Id: ${'x'.repeat(128)}\r\n`);
  const [line = ''] = written;
  expect([line.includes(':2001"'), Buffer.byteLength(line) <= 1000]).toEqual([true, true]);
});

const returned = async (id: string, remoteAddress = PROXY) => {
  const options = { url: '/robots.txt', headers: { 'x-request-id': id }, remoteAddress };
  return (await testApp.app.inject(options)).headers['x-request-id'];
};

test('request id: a well-formed one of a trusted proxy is used and returned, else one that no other request has', async () => {
  expect(await returned('0f8fad5b-d9cb.469f:a165=70')).toBe('0f8fad5b-d9cb.469f:a165=70');
  for (const id of ['', 'a b', '"', 'a\\', 'é', 'x'.repeat(129)])
    expect(await returned(id)).toBe(undefined);
  expect(await returned('of-a-client', CLIENT)).toBe(undefined);
  const [first, ...others] = lines().map(({ reqId }) => reqId);
  expect(first).toBe('0f8fad5b-d9cb.469f:a165=70');
  expect(others.filter((id) => !GENERATED_ID.test(String(id)))).toEqual([]);
  testApp = open();
  expect(new Set([...others, (await linesOf('/robots.txt'))[0]?.['reqId']]).size).toBe(8);
});
