import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { createClientErrorHandler } from '#server/http/parser-error.ts';
import { HttpEntry } from '#server/http/entry.ts';

const LIMITS = { intervalMs: 200, bytesPerSecondMin: 8192, timeoutMs: 3000 };
const STEP_MS = 50;
const FAST_STEP_BYTES = 2000;
const SLOW_STEP_BYTES = 100;
const CHUNKED = 'Transfer-Encoding: chunked';

let server: Server;

beforeEach(async () => {
  const entry = new HttpEntry(LIMITS);
  server = entry.createServer((request, response) => {
    if (request.url === '/?answer=now') response.end('early');
    request.on('error', () => undefined);
    request.resume().on('end', () => response.end('done'));
  });
  const handleClientError = createClientErrorHandler('');
  // Typed as Fastify's handler, which gets a socket.
  server.on('clientError', (error, socket) => handleClientError(error, socket as never));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Sends an upload in steps; returns all that the server answers. */
const send = (path: string, stepBytes: number, steps: number) =>
  sendSteps(
    `${path} HTTP/1.1\r\nContent-Length: ${stepBytes * steps}\r\nContent-Type: multipart/form-data; boundary=b`,
    Buffer.alloc(stepBytes),
    steps,
  );

async function sendSteps(head: string, step: Buffer | string, steps: number) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let response = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
  socket.write(`POST ${head}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
  const isClosed = new Promise((resolve) => socket.once('close', resolve));
  for (let count = 0; count < steps && !socket.destroyed; count += 1) {
    socket.write(step);
    await delay(STEP_MS);
  }
  await isClosed;
  return response;
}

test('body timeout: an upload that makes progress may take longer than an interval', async () => {
  expect(await send('/', FAST_STEP_BYTES, 20)).toMatch(/^HTTP\/1\.1 200 [^]*done$/);
});

test('body timeout: an upload without progress is 408 after an interval', async () => {
  const startedAt = performance.now();
  expect(await send('/', SLOW_STEP_BYTES, 40)).toMatch(/^HTTP\/1\.1 408 [^]*too_slow/);
  expect(performance.now() - startedAt).toBeLessThan(1500);
});

test.each([
  ['with a length', `Content-Length: ${FAST_STEP_BYTES * 40}`, Buffer.alloc(FAST_STEP_BYTES)],
  ['in chunks', CHUNKED, 'a\r\n0123456789\r\n'.repeat(200)],
  ['in chunks with long extensions', CHUNKED, `1;${'x'.repeat(FAST_STEP_BYTES)}\r\n1\r\n`],
])('body timeout: a JSON body %s is 408 after an interval', async (_name, length, step) => {
  const startedAt = performance.now();
  const head = `/ HTTP/1.1\r\n${length}\r\nContent-Type: application/json`;
  const response = await sendSteps(head, step, 40);
  expect(response).toMatch(/^HTTP\/1\.1 408 [^]*too_slow/);
  expect(performance.now() - startedAt).toBeLessThan(1500);
});

test('body timeout: limits the total time of an upload', async () => {
  expect(await send('/', FAST_STEP_BYTES, 90)).toMatch(/^HTTP\/1\.1 408 [^]*too_slow/);
});

test('body timeout: closes the connection if the body continues after the response', async () => {
  const startedAt = performance.now();
  expect(await send('/?answer=now', FAST_STEP_BYTES, 40)).toMatch(/^HTTP\/1\.1 200 [^]*early/);
  expect(performance.now() - startedAt).toBeLessThan(1500);
});

test('body timeout: requests without a body or with a complete one are answered', async () => {
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  for (let count = 0; count < 3; count += 1) {
    expect(await (await fetch(url, { method: 'POST', body: 'x' })).text()).toBe('done');
    expect(await (await fetch(url)).text()).toBe('done');
  }
});
