import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { expect, onTestFinished, test } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { listPhotoFiles } from '#tests/support/photo-files.ts';

import { bucketUrl, openPhotoBucket } from './bucket.ts';

test.each([
  ['https://store.example.com', true, 'https://store.example.com/cards'],
  ['http://127.0.0.1:9000', true, 'http://127.0.0.1:9000/cards'],
  ['https://example.com/storage/s3', true, 'https://example.com/storage/s3/cards'],
  ['https://s3.ap-south-1.amazonaws.com', false, 'https://cards.s3.ap-south-1.amazonaws.com/'],
  ['http://store:9000', false, 'http://cards.store:9000/'],
])('bucket URL: of %s with path style %s is %s', (endpoint, isPathStyle, expected) => {
  expect(bucketUrl({ bucket: 'cards', endpoint, isPathStyle })).toBe(expected);
});

const NAME = `ABCDEFGHJKLMNPQR-${'0'.repeat(32)}-448.jpg`;
const FILE = { name: NAME, bytes: Buffer.from('red') };

/** Starts a fake store. Signatures are checked only by the tests with a real S3 server. */
async function startStore(respond: (request: IncomingMessage, response: ServerResponse) => void) {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    request.resume();
    respond(request, response);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const keys = { accessKeyId: 'AKEXAMPLE', secretAccessKey: 'hunter2hunter2' };
  const place = { bucket: 'cards', endpoint, region: 'us-east-1', isPathStyle: true };
  const photos = openPhotoBucket({ ...place, ...keys });
  return { photos, requests, objectUrl: `${endpoint}/cards/photos/${NAME}` };
}

const XML = { 'content-type': 'application/xml; charset=utf-8' };

/** Returns the message that the log has of a failed call. */
async function failure(call: Promise<unknown>): Promise<string> {
  const succeeded = new Error('The call succeeded.');
  const error = await call.then(
    () => succeeded,
    (reason: Error) => reason,
  );
  return error.cause instanceof Error ? error.cause.message : error.message;
}

test('photo bucket: repeats a read and a save after a server error, at most twice, and no removal', async () => {
  const statuses = [503, 500, 200, 503, 503, 503, 200];
  const { photos, requests } = await startStore((_request, response) => {
    response.writeHead(statuses.shift() ?? 503).end('fine');
  });
  expect(String(await photos.read(NAME))).toBe('fine');
  expect(requests).toHaveLength(3);
  expect(await failure(photos.save([FILE]))).toBe('S3 returned 503 – Unknown');
  expect(requests).toHaveLength(6);
  statuses.unshift(503);
  expect(await failure(photos.remove([NAME]))).toBe('S3 returned 503 – Unknown');
  expect(requests).toHaveLength(7);
});

test('photo bucket: repeats a request after a broken connection, not after 403', async () => {
  let isFirst = true;
  const { photos, requests } = await startStore((request, response) => {
    if (isFirst) request.socket.destroy();
    else response.writeHead(403, XML).end('<Error><Code>AccessDenied</Code></Error>');
    isFirst = false;
  });
  const denied = 'S3 returned 403 – AccessDenied: these keys may not do this.';
  expect(await failure(photos.read(NAME))).toBe(denied);
  expect(requests).toHaveLength(2);
});

test('photo bucket: a check of a store that hangs before or during its response fails within half a second', async () => {
  let isSecond = false;
  const { photos, requests } = await startStore((_request, response) => {
    if (isSecond) response.writeHead(200, { 'content-length': '10' }).write('half');
    isSecond = true;
  });
  for (const count of [1, 2]) {
    const startedAt = performance.now();
    expect(await failure(photos.check())).toMatch(/^GET \S+: no response in time\.$/);
    expect([count, performance.now() - startedAt < SECOND_MS]).toEqual([count, true]);
  }
  expect(requests).toHaveLength(2);
});

test('photo bucket: a read of a store that hangs fails after 5 s, with all its attempts', async () => {
  const { photos, objectUrl } = await startStore(() => undefined);
  const startedAt = performance.now();
  expect(await failure(photos.read(NAME))).toBe(`GET ${objectUrl}: no response in time.`);
  expect(Math.round((performance.now() - startedAt) / SECOND_MS)).toBe(5);
});

test('photo bucket: rejects a response that is too large, and follows no redirect', async () => {
  const { photos, requests, objectUrl } = await startStore((request, response) => {
    if (request.method === 'GET') response.end(Buffer.alloc(5_000_000));
    else response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  });
  expect(await failure(photos.read(NAME))).toBe(`GET ${objectUrl}: the response is too large.`);
  const before = requests.length;
  expect(await failure(photos.save([FILE]))).toBe('S3 returned 307 – Unknown');
  expect(requests).toHaveLength(before + 1);
});

test('photo bucket: lists the photos of all pages, and no object without a time', async () => {
  const pages = [
    `<IsTruncated>true</IsTruncated>
     <Contents><Key>photos/${NAME}</Key><LastModified>2026-01-15T09:00:00.500Z</LastModified></Contents>
     <Contents><Key>backup/${NAME}</Key><LastModified>2026-01-15T09:00:01Z</LastModified></Contents>
     <NextContinuationToken>1&amp;2/=</NextContinuationToken>`,
    `<IsTruncated>false</IsTruncated><Contents><Key>photos/${NAME}</Key></Contents>`,
  ];
  const { photos, requests } = await startStore((_request, response) => {
    response.writeHead(200, XML).end(`<ListBucketResult>${pages.shift()}</ListBucketResult>`);
  });
  const modifiedAt = Date.UTC(2026, 0, 15, 9, 0, 0, 500);
  expect(await listPhotoFiles(photos)).toEqual([{ name: NAME, modifiedAt }]);
  const queries = requests.map((request) => new URL(request.slice(4), 'http://x').searchParams);
  const query = { 'list-type': '2', prefix: 'photos/' };
  expect(queries.map((one) => Object.fromEntries(one))).toEqual([
    { ...query, 'max-keys': '1000' },
    { ...query, 'max-keys': '998', 'continuation-token': '1&2/=' },
  ]);
});

test('photo bucket: a response that is not a list is an error, not an empty list', async () => {
  let body = '<html><body>Welcome</body></html>';
  const { photos } = await startStore((_request, response) => {
    response.writeHead(200, XML).end(body);
  });
  const message = /^GET \S+: the response is not a complete list\.$/;
  expect(await failure(listPhotoFiles(photos))).toMatch(message);
  expect(await failure(photos.check())).toMatch(message);
  for (const token of ['', '<NextContinuationToken></NextContinuationToken>']) {
    body = `<ListBucketResult><IsTruncated>true</IsTruncated>${token}</ListBucketResult>`;
    expect(await failure(listPhotoFiles(photos))).toMatch(message);
  }
  body = '';
  expect(await failure(listPhotoFiles(photos))).toMatch(message);
});
