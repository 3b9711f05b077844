import type { Server } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createClientErrorHandler } from '#server/http/parser-error.ts';
import { HttpEntry } from '#server/http/entry.ts';
import { listen } from '#tests/support/port.ts';

const LIMITS = { intervalMs: 200, bytesPerSecondMin: 8192, timeoutMs: 3000 };
const STEP_MS = 50;
const FAST = Buffer.alloc(2000);
const SLOW = Buffer.alloc(100);
const FORM = 'Content-Type: multipart/form-data; boundary=b';
const JSON_TYPE = 'Content-Type: application/json';
const CHUNKED_JSON = { type: JSON_TYPE, length: 'Transfer-Encoding: chunked' };
const TOO_SLOW = /^HTTP\/1\.1 408 [^]*too_slow/;

let server: Server;
let origin: string;

beforeEach(async () => {
  const entry = new HttpEntry(LIMITS);
  server = entry.createServer((request, response) => {
    if (request.url === '/?answer=now') response.end('early');
    request.on('error', () => undefined);
    request.resume().on('end', () => response.end('done'));
  });
  // Typed as Fastify's handler, which gets a socket.
  const answer = createClientErrorHandler('');
  server.on('clientError', (error, socket) => answer(error, socket as never));
  origin = await listen(server);
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends a body in steps; returns all that the server answers, and whether it closed before the last step. */
async function send(
  step: Buffer | string,
  steps: number,
  { path = '/', type = FORM, length = `Content-Length: ${step.length * steps}` } = {},
) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  let response = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
  socket.write(
    `POST ${path} HTTP/1.1\r\n${length}\r\n${type}\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
  );
  const isClosed = new Promise((resolve) => socket.once('close', resolve));
  let sent = 0;
  for (; sent < steps && !socket.destroyed; sent += 1) {
    socket.write(step);
    await delay(STEP_MS);
  }
  await isClosed;
  return { response, isCutOff: sent < steps };
}

test('body timeout: an upload that makes progress may take longer than an interval, and has a total time', async () => {
  expect((await send(FAST, 20)).response).toMatch(/^HTTP\/1\.1 200 [^]*done$/);
  expect((await send(FAST, 90)).response).toMatch(TOO_SLOW);
});

test.each([
  ['an upload without progress', SLOW, {}],
  ['a JSON body with a length', FAST, { type: JSON_TYPE }],
  ['a JSON body in chunks', 'a\r\n0123456789\r\n'.repeat(200), CHUNKED_JSON],
  ['one in chunks with long extensions', `1;${'x'.repeat(2000)}\r\n1\r\n`, CHUNKED_JSON],
])('body timeout: %s is 408 after an interval', async (_name, step, options) => {
  const response = expect.stringMatching(TOO_SLOW) as string;
  expect(await send(step, 40, options)).toEqual({ response, isCutOff: true });
});

test('body timeout: closes the connection if the body continues after the response', async () => {
  const response = expect.stringMatching(/^HTTP\/1\.1 200 [^]*early/) as string;
  expect(await send(FAST, 40, { path: '/?answer=now' })).toEqual({ response, isCutOff: true });
});
