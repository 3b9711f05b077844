import type { Server } from 'node:http';
import { connect } from 'node:net';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createClientErrorHandler } from './error-handler.ts';
import { HttpEntry } from '#server/http/entry.ts';
import { close, listen } from '#tests/support/port.ts';

let server: Server;
let port: number;
let routed: number;

beforeEach(async () => {
  const entry = new HttpEntry(() => false);
  routed = 0;
  server = entry.createServer((request, response) => {
    routed += 1;
    request.on('error', () => undefined).resume();
    if (request.url === '/early') response.end('early');
    if (request.url === '/half') response.writeHead(200, { 'content-length': 8 }).write('half');
  });
  // The handler has Fastify's type, which expects a socket.
  const answer = createClientErrorHandler('', entry.isResponding);
  server.on('clientError', (error, socket) => answer(error, socket as never));
  port = Number(new URL(await listen(server)).port);
});
afterEach(() => close(server));

/** Sends requests as they are, then invalid bytes or a body that never ends. Returns all responses. */
function send(head: string, rest: string) {
  return new Promise<string>((resolve) => {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    let response = '';
    const timer = setInterval(() => socket.write(rest), 100);
    socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
    socket.on('close', () => {
      clearInterval(timer);
      resolve(response);
    });
    socket.write(head);
  });
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
const post = (path: string) => `POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100000\r\n\r\n`;
const STATUS_LINE = /HTTP\/1\.1 \d+/g;
const statuses = (response: string) =>
  (response.match(STATUS_LINE) ?? []).map((line) => Number(line.slice(-3)));

test('entry: limits the headers, the request, a pause between requests and one without data', () => {
  const { headersTimeout, requestTimeout, keepAliveTimeout, timeout } = server;
  const timeouts = { headersTimeout, requestTimeout, keepAliveTimeout, timeout };
  expect(timeouts).toEqual({
    headersTimeout: 10_000,
    requestTimeout: 300_000,
    keepAliveTimeout: 5000,
    timeout: 60_000,
  });
});

test('entry: a body that takes too long is 408, and adds nothing to a response', async () => {
  Object.assign(server, { headersTimeout: 400, requestTimeout: 500 });
  const answers = await Promise.all(['/', '/early', '/half'].map((path) => send(post(path), 'x')));
  expect(answers.map(statuses)).toEqual([[408], [200], [200]]);
  expect(answers[0]).toContain('"error":"too_slow"');
});

test('entry: a connection whose requests wait for 32 responses is closed at the next request', async () => {
  expect(await send(get('/').repeat(10_000), '')).toBe('');
  expect(routed).toBe(32);
  const answered = get('/early').repeat(32);
  expect(statuses(await send(answered, '\0\0\r\n\r\n'))).toHaveLength(33);
});

test.each([
  ['a response that has begun', get('/half'), [200]],
  ['one that a pipelined request follows', get('/half') + get('/'), [200]],
  ['one that follows a complete one', get('/early') + get('/half'), [200, 200]],
  ['a complete response is followed by 400', get('/early'), [200, 400]],
])('client error: invalid bytes add nothing to %s', async (_, requests, expected) => {
  expect(statuses(await send(requests, '\0\0\r\n\r\n'))).toEqual(expected);
});
