import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { afterEach, expect, test } from 'vitest';

import { bucketCaller } from './bucket-call.ts';

const GET = { method: 'GET', key: 'photos/a.jpg', deadlineMs: 10_000, triesMax: 3 } as const;

let store: Server | undefined;
afterEach(() => {
  store?.closeAllConnections();
  store?.close();
});

/** A store that answers as a test says; it does not check signatures, the real gateway does. */
async function standIn(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  let asked = 0;
  store = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  const server = store;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const call = bucketCaller({
    bucket: 'cards',
    endpoint: `http://127.0.0.1:${port}`,
    region: 'us-east-1',
    accessKeyId: 'AKEXAMPLE',
    secretAccessKey: 'hunter2hunter2',
    isPathStyle: true,
  });
  return { call, asked: () => asked, where: `http://127.0.0.1:${port}/cards/photos/a.jpg` };
}

test('a store that stumbles is asked again, at most as often as was said', async () => {
  const answers = [503, 500, 200];
  const { call, asked } = await standIn((_request, response) => {
    response.writeHead(answers.shift() ?? 503).end('fine');
  });
  expect(String(await call(GET))).toBe('fine');
  expect(asked()).toBe(3);
  await expect(call({ ...GET, triesMax: 2 })).rejects.toMatchObject({ status: 503 });
  expect(asked()).toBe(5);
});

test('a connection that breaks is tried again; a refusal is not', async () => {
  let isFirst = true;
  const { call, asked } = await standIn((request, response) => {
    if (isFirst) request.socket.destroy();
    else response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
    isFirst = false;
  });
  await expect(call(GET)).rejects.toMatchObject({ status: 403, code: 'AccessDenied' });
  expect(asked()).toBe(2);
});

test('a store that hangs is left at the deadline, before or within its answer', async () => {
  let isBegun = false;
  const { call, asked, where } = await standIn((_request, response) => {
    if (isBegun) response.writeHead(200, { 'content-length': '10' }).write('half');
    isBegun = true;
  });
  const sentence = `GET ${where}: no answer in time.`;
  await expect(call({ ...GET, deadlineMs: 300 })).rejects.toThrow(sentence);
  await expect(call({ ...GET, deadlineMs: 300 })).rejects.toThrow(sentence);
  expect(asked()).toBe(2);
});

test('an answer without end is cut, and a redirect is not followed', async () => {
  const { call, where } = await standIn((request, response) => {
    if (request.method === 'GET') response.end(Buffer.alloc(5_000_000));
    else response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
  });
  await expect(call({ ...GET, triesMax: 1 })).rejects.toThrow(
    `GET ${where}: no answer (more than 4000000 bytes).`,
  );
  await expect(call({ ...GET, method: 'DELETE' })).rejects.toMatchObject({ status: 307 });
});

test('nothing there at all: the sentence says what was asked for, and holds no secret', async () => {
  const { call, where } = await standIn(() => undefined);
  await new Promise((resolve) => store?.close(resolve));
  const error = await call({ ...GET, triesMax: 1 }).catch((reason: unknown) => reason);
  expect(String(error)).toBe(`BucketError: GET ${where}: no answer (ECONNREFUSED).`);
});
