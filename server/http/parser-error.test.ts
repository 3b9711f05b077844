import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';

import { buildTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';
import { sendBytes } from '#tests/support/raw-client.ts';

let testDatabase: TestDatabase;
let app: ReturnType<typeof buildTestApp>['app'];
let port: number;

beforeAll(async () => {
  testDatabase = await openTestSqlite();
  ({ app } = buildTestApp(testDatabase.database));
  app.get('/half', (_request, reply) => {
    reply.hijack();
    reply.raw.writeHead(200, { 'content-length': 8 }).write('half');
  });
  port = Number(new URL(await app.listen({ host: '127.0.0.1', port: 0 })).port);
});

afterAll(async () => {
  await app.close();
  await testDatabase.dispose();
});

/** Parses a response; `hasDefaultHeaders` is true if it has the headers of every response. */
function read(response: string) {
  const [head = '', body = ''] = response.split('\r\n\r\n');
  const has = (name: string) => new RegExp(`^${name}: `, 'im').test(head);
  return {
    status: Number(head.split(' ')[1]),
    hasDefaultHeaders: ['content-security-policy', 'x-content-type-options', 'cache-control'].every(
      has,
    ),
    type: /^content-type: (.*)$/im.exec(head)?.[1],
    body: JSON.parse(body) as unknown,
  };
}

const rejected = (status: number, error: string, message: string) => ({
  status,
  hasDefaultHeaders: true,
  type: 'application/json; charset=utf-8',
  body: { error, message },
});
const UNREADABLE = rejected(400, 'invalid_input', 'The request could not be read.');

test.each([
  ['no HTTP at all', 'hello\r\n\r\n'],
  ['TLS on a port without TLS', Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3])],
  ['an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n'],
  ['a header with a NUL character', 'GET / HTTP/1.1\r\nHost: a\r\nAuthorization: a\0b\r\n\r\n'],
  ['a header without a colon', 'GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n'],
  [
    'a Content-Length that is not a number',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n',
  ],
  [
    'two Content-Length headers',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
  ],
  [
    'a Content-Length and chunks (request smuggling)',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  [
    'a broken chunk',
    'POST /api/otp/send HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
  ],
])('client error: %s is 400 with an ApiErrorBody', async (_, bytes) => {
  expect(read(await sendBytes(port, bytes))).toEqual(UNREADABLE);
});

test('client error: headers over 16 KiB are 431', async () => {
  const response = await sendBytes(
    port,
    `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`,
  );
  expect(read(response)).toEqual(
    rejected(431, 'headers_too_large', 'The headers of the request are too large.'),
  );
});

test('client error: a request that arrives too slowly is 408', async () => {
  app.server.once('connection', (socket) => {
    // The error that Node emits after its timeout.
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    app.server.emit('clientError', late, socket);
  });
  expect(read(await sendBytes(port, 'GET / HT'))).toEqual(
    rejected(408, 'too_slow', 'The request took too long to arrive.'),
  );
});

test('Host header: a request without it is 400 in HTTP/1.1 and accepted in HTTP/1.0', async () => {
  const missing = await sendBytes(port, 'GET /api/user/x HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(read(missing)).toEqual(rejected(400, 'invalid_input', 'The Host header is missing.'));
  expect(await sendBytes(port, 'GET /healthz HTTP/1.0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /);
});

test('Expect header: an unknown value is ignored', async () => {
  const response = await sendBytes(
    port,
    'GET /healthz HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close\r\n\r\n',
  );
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
});

test('client error: invalid bytes during a response add nothing to it', async () => {
  const socket = connect(port, '127.0.0.1');
  let response = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => {
    response += chunk.toString();
    if (response.endsWith('half')) socket.write('\0\0\r\n\r\n');
  });
  socket.write('GET /half HTTP/1.1\r\nHost: a\r\n\r\n');
  await new Promise((resolve) => socket.once('close', resolve));
  expect([response.match(/HTTP\/1\.1/g)?.length, response.endsWith('half')]).toEqual([1, true]);
});
