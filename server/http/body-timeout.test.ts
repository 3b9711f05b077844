import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

import { afterEach, beforeEach, expect, test } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';

import { JSON_SIZE_BYTES_MAX } from './body.ts';
import { BODY_LIMITS } from './body-timeout.ts';
import { createClientErrorHandler } from './parser-error.ts';
import { HttpEntry } from './entry.ts';

const LIMITS = { intervalMs: 200, bytesPerSecondMin: 8192, timeoutMs: 3000 };
const STEP_MS = 50;
const FAST_STEP_BYTES = 2000;
const SLOW_STEP_BYTES = 100;

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

/** Sends a body in steps; returns all that the server answers. */
async function send(path: string, stepBytes: number, steps: number): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let response = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: ${stepBytes * steps}\r\n\r\n`,
  );
  const isClosed = new Promise((resolve) => socket.once('close', resolve));
  for (let step = 0; step < steps && !socket.destroyed; step += 1) {
    socket.write(Buffer.alloc(stepBytes));
    await delay(STEP_MS);
  }
  await isClosed;
  return response;
}

test('body timeout: a body that makes progress may take longer than an interval', async () => {
  expect(await send('/', FAST_STEP_BYTES, 20)).toMatch(/^HTTP\/1\.1 200 [^]*done$/);
});

test('body timeout: a body without progress is 408 after an interval', async () => {
  const startedAt = performance.now();
  expect(await send('/', SLOW_STEP_BYTES, 40)).toMatch(/^HTTP\/1\.1 408 [^]*too_slow/);
  expect(performance.now() - startedAt).toBeLessThan(1500);
});

test('body timeout: no JSON body is so large that it may take longer than an interval', () => {
  const { intervalMs, bytesPerSecondMin } = BODY_LIMITS;
  expect(JSON_SIZE_BYTES_MAX).toBeLessThan((bytesPerSecondMin * intervalMs) / SECOND_MS);
});

test('body timeout: limits the total time of a body', async () => {
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
