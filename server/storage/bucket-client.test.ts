import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { bucketUrl, createBucketClient } from './bucket-client.ts';

const url = (endpoint: string, isPathStyle: boolean, key = 'photos/a.jpg') =>
  bucketUrl({ bucket: 'cards', endpoint, region: 'us-east-1', isPathStyle }, key).href;

test('bucket URL: path style has the bucket in the path', () => {
  expect([
    url('https://store.example.com', true),
    url('http://127.0.0.1:9000', true),
    url('https://example.com/storage/s3', true),
    url('https://store.example.com', true, ''),
  ]).toEqual([
    'https://store.example.com/cards/photos/a.jpg',
    'http://127.0.0.1:9000/cards/photos/a.jpg',
    'https://example.com/storage/s3/cards/photos/a.jpg',
    'https://store.example.com/cards',
  ]);
});

test('bucket URL: virtual-host style has the bucket before the host name', () => {
  expect([
    url('https://s3.ap-south-1.amazonaws.com', false),
    url('http://store:9000', false),
    url('https://s3.ap-south-1.amazonaws.com', false, ''),
  ]).toEqual([
    'https://cards.s3.ap-south-1.amazonaws.com/photos/a.jpg',
    'http://cards.store:9000/photos/a.jpg',
    'https://cards.s3.ap-south-1.amazonaws.com/',
  ]);
});

const GET = { method: 'GET', key: 'photos/a.jpg', timeoutMs: 10_000, attemptsMax: 3 } as const;

let store: Server | undefined;
afterEach(() => {
  store?.closeAllConnections();
  store?.close();
});

/** Starts a fake store. Signatures are checked only by the tests with a real S3 server. */
async function startStore(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    respond(request, response);
  });
  store = server;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const send = createBucketClient({
    bucket: 'cards',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId: 'AKEXAMPLE',
    secretAccessKey: 'hunter2hunter2',
    isPathStyle: true,
  });
  const objectUrl = `http://127.0.0.1:${port}/cards/photos/a.jpg`;
  return { send, requestCount: () => requests, objectUrl };
}

test('bucket client: retries a request after a server error, at most attemptsMax times', async () => {
  const statuses = [503, 500, 200];
  const { send, requestCount } = await startStore((_request, response) => {
    response.writeHead(statuses.shift() ?? 503).end('fine');
  });
  expect(String(await send(GET))).toBe('fine');
  expect(requestCount()).toBe(3);
  await expect(send({ ...GET, attemptsMax: 2 })).rejects.toMatchObject({ status: 503 });
  expect(requestCount()).toBe(5);
});

test('bucket client: retries a request after a broken connection, not after 403', async () => {
  let isFirst = true;
  const { send, requestCount } = await startStore((request, response) => {
    if (isFirst) request.socket.destroy();
    else response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    isFirst = false;
  });
  await expect(send(GET)).rejects.toMatchObject({
    status: 403,
    code: 'AccessDenied',
    message: expect.stringMatching(
      /^GET \S+ was answered with 403 \(AccessDenied\): these keys may not do this\.$/,
    ) as string,
  });
  expect(requestCount()).toBe(2);
});

test('bucket client: a request times out if the store hangs before or during its response', async () => {
  let isSecond = false;
  const { send, requestCount, objectUrl } = await startStore((_request, response) => {
    if (isSecond) response.writeHead(200, { 'content-length': '10' }).write('half');
    isSecond = true;
  });
  const message = `GET ${objectUrl}: no response in time.`;
  await expect(send({ ...GET, timeoutMs: 300 })).rejects.toThrow(message);
  await expect(send({ ...GET, timeoutMs: 300 })).rejects.toThrow(message);
  expect(requestCount()).toBe(2);
});

test('bucket client: rejects a response that is too large and a redirect', async () => {
  const { send, objectUrl } = await startStore((request, response) => {
    if (request.method === 'GET') response.end(Buffer.alloc(5_000_000));
    else response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  });
  await expect(send({ ...GET, attemptsMax: 1 })).rejects.toThrow(
    `GET ${objectUrl}: no response (more than 4000000 bytes).`,
  );
  await expect(send({ ...GET, method: 'DELETE' })).rejects.toMatchObject({
    status: 307,
    message: `DELETE ${objectUrl} was answered with 307.`,
  });
});

test('bucket client: the error for an unreachable store contains the URL and no secret', async () => {
  const { send, objectUrl } = await startStore(() => undefined);
  await new Promise((resolve) => store?.close(resolve));
  const error = await send({ ...GET, attemptsMax: 1 }).catch((reason: unknown) => reason);
  expect(String(error)).toBe(`BucketError: GET ${objectUrl}: no response (ECONNREFUSED).`);
});
