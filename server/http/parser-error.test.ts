import { beforeEach, expect, test } from 'vitest';

import { useTestApp } from '#tests/support/app.ts';
import { sendBytes } from '#tests/support/raw-client.ts';

const { testApp } = useTestApp();
let port: number;

beforeEach(async () => {
  port = Number(new URL(await testApp.app.listen({ host: '127.0.0.1', port: 0 })).port);
});

/** Expects an error response with the headers of every response. Returns its message. */
async function rejection(bytes: string | Buffer, status: number, error: string) {
  const [head = '', body = ''] = (await sendBytes(port, bytes)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  for (const name of ['content-security-policy', 'x-content-type-options', 'cache-control'])
    expect(head).toMatch(new RegExp(`^${name}: `, 'im'));
  expect(head).toMatch(/^content-type: application\/json; charset=utf-8\r$/im);
  const { message, ...others } = JSON.parse(body) as { message: string };
  expect(others).toEqual({ error });
  return message;
}

const CHUNKED = 'Transfer-Encoding: chunked';
const POST = 'POST /api/otp/send HTTP/1.1\r\nHost: a\r\n';

test.each([
  ['TLS on a port without TLS', Buffer.from([22, 3, 1, 2, 0, 1, 0, 1, 252, 3, 3])],
  ['request smuggling', `${POST}Content-Length: 5\r\n${CHUNKED}\r\n\r\n0\r\n\r\n`],
  ['a broken chunk', `${POST}Content-Type: application/json\r\n${CHUNKED}\r\n\r\nzz\r\n`],
])('client error: %s is 400 with an ApiErrorBody', async (_, bytes) => {
  expect(await rejection(bytes, 400, 'invalid_input')).toBe("We couldn't read the request.");
});

test('client error: headers over 16 KiB are 431, and a request that arrives too slowly is 408', async () => {
  const large = `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(20_000)}\r\n\r\n`;
  const tooLarge = 'The headers of the request are too large.';
  expect(await rejection(large, 431, 'headers_too_large')).toBe(tooLarge);
  const { server } = testApp.app;
  server.once('connection', (socket) => {
    // Node emits this error after its timeout.
    const late = Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    server.emit('clientError', late, socket);
  });
  const tooSlow = 'The request took too long to arrive.';
  expect(await rejection('GET / HT', 408, 'too_slow')).toBe(tooSlow);
});

test('Host header: a request without it is 400 in HTTP/1.1 and accepted in HTTP/1.0; an unknown Expect header is ignored', async () => {
  const missing = 'GET /api/user/x HTTP/1.1\r\nConnection: close\r\n\r\n';
  expect(await rejection(missing, 400, 'invalid_input')).toBe('The Host header is missing.');
  const unknown = '/healthz HTTP/1.1\r\nHost: a\r\nExpect: miracles\r\nConnection: close';
  for (const request of ['/healthz HTTP/1.0', unknown])
    expect(await sendBytes(port, `GET ${request}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
});
