import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { OPEN_JSON_SIZE_BYTES_MAX } from '#server/http/route.ts';
import { photoForm } from '#tests/support/app.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { print } from '#tests/support/print.ts';
import { FULL_CARD, sendRequest, createOwner } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

const SLOW_HEADERS = 300;
const SLOW_BODIES = 200;
const SLOW_READS = 200;
const NORMAL_REQUESTS = 200;
const BYTE_INTERVAL_MS = 500;
/** A slow mobile connection. */
const SLOW_LINE_BYTES_PER_SECOND = 25_000;
const SLOW_PHOTO_BYTES = 1_200_000;
/** The server's longest time limit, with a margin. */
const CLOSED_WITHIN_MS = 150_000;

/** A connection to the service until the end of the test, with what it has received. */
function open(port: number) {
  const state = { socket: connect(port, '127.0.0.1'), isClosed: false, response: '' };
  state.socket.on('error', () => undefined);
  state.socket.on('close', () => (state.isClosed = true));
  onTestFinished(() => void state.socket.destroy());
  return state;
}

/** A connection that receives; returns its state. */
function openReading(port: number) {
  const state = open(port);
  state.socket.on('data', (chunk: Buffer) => (state.response += chunk.toString()));
  return state;
}

/** A connection that sends one byte after the other without end; returns its state. */
function sendSlowly(port: number, start: string) {
  const state = openReading(port);
  state.socket.write(start);
  const timer = setInterval(() => state.socket.write('x'), BYTE_INTERVAL_MS);
  state.socket.on('close', () => clearInterval(timer));
  return state;
}

/** A connection that sends many requests and reads no response. */
function readNothing(port: number, path: string): void {
  const { socket } = open(port);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(100));
}

/** The number of connections that got the error too_slow. */
const countTooSlow = (states: readonly { response: string }[]) =>
  states.filter(({ response }) => response.includes('"error":"too_slow"')).length;

function countOpen(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const ESTABLISHED = '01';
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, here, , state]) => here?.endsWith(local) && state === ESTABLISHED).length;
}

async function runNormalClient(server: RunningServer, owner: Owner) {
  const failed: string[] = [];
  let longestMs = 0;
  for (let count = 0; count < NORMAL_REQUESTS; count += 1) {
    const startedAt = performance.now();
    const page = await fetch(`${server.origin}/user/${owner._id}`);
    await page.text();
    if (page.status !== 200) failed.push(`page ${page.status}`);
    await sendRequest(server, `/user/updateUser/${owner._id}`, {
      body: { name: `Name ${count}` },
      token: owner.sessionToken,
    }).catch((error: unknown) => failed.push(String(error)));
    longestMs = Math.max(longestMs, performance.now() - startedAt);
  }
  return { failed, longestMs };
}

test('slow clients: 300 slow headers, 200 slow bodies and 200 slow reads do not stop a normal client', async () => {
  const server = await startServer();
  onTestFinished(() => server.dispose());
  const owner = await createOwner(server, '9876543210', FULL_CARD);
  const alone = await runNormalClient(server, owner);
  const port = Number(new URL(server.origin).port);

  const host = 'HTTP/1.1\r\nHost: localhost\r\n';
  const get = `GET / ${host}X-Slow: `;
  const type = `Content-Type: application/json\r\nContent-Length: ${OPEN_JSON_SIZE_BYTES_MAX}`;
  const post = `POST /api/otp/send ${host}${type}\r\n\r\n{"appId":"`;
  const headers = Array.from({ length: SLOW_HEADERS }, () => sendSlowly(port, get));
  const bodies = Array.from({ length: SLOW_BODIES }, () => sendSlowly(port, post));
  const script = /\/assets\/[^"]+\.js/.exec(await (await fetch(`${server.origin}/login`)).text());
  for (let count = 0; count < SLOW_READS; count += 1) readNothing(port, script?.[0] ?? '/login');
  // Control: all slow connections are open at the same time.
  await waitUntil(() => countOpen(port) >= SLOW_HEADERS + SLOW_BODIES + SLOW_READS);

  const together = await runNormalClient(server, owner);
  print(
    `longest call ${Math.round(alone.longestMs)} ms alone, ${Math.round(together.longestMs)} ms with slow clients`,
  );
  expect(together.failed).toEqual([]);
  const startedAt = performance.now();
  while (countOpen(port) > 0 && performance.now() - startedAt < CLOSED_WITHIN_MS) await pause(1000);
  print(`${countOpen(port)} open after ${Math.round((performance.now() - startedAt) / 1000)} s`);
  expect(countOpen(port)).toBe(0);
  await waitUntil(() => [...headers, ...bodies].every(({ isClosed }) => isClosed));
  expect([countTooSlow(headers), countTooSlow(bodies)]).toEqual([SLOW_HEADERS, SLOW_BODIES]);
  await waitUntil(async () => (await fetch(`${server.origin}/readyz`)).status === 200);
});

async function uploadSlowly(server: RunningServer, owner: Owner, bytes: Buffer): Promise<string> {
  const form = photoForm(owner._id, bytes);
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const body = Buffer.from(await request.arrayBuffer());
  const state = openReading(Number(new URL(server.origin).port));
  const { socket } = state;
  socket.write(
    `POST /api/user/uploadProfileImage HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
      `Authorization: ${owner.sessionToken}\r\nContent-Length: ${body.length}\r\n` +
      `Content-Type: ${request.headers.get('content-type') ?? ''}\r\n\r\n`,
  );
  const step = SLOW_LINE_BYTES_PER_SECOND / 10;
  for (let start = 0; start < body.length && !socket.destroyed; start += step) {
    socket.write(body.subarray(start, start + step));
    await pause(100);
  }
  await waitUntil(() => socket.destroyed);
  return state.response;
}

test('slow upload: a photo over a line of 25 KB/s is saved, although it takes longer than 30 s', async () => {
  const server = await startServer();
  onTestFinished(() => server.dispose());
  const owner = await createOwner(server, '9876543210', FULL_CARD);
  const png = await twoHalves({ width: 300, height: 300 }).png().toBuffer();
  // Decoders ignore bytes after the end of a PNG.
  const bytes = Buffer.concat([png, Buffer.alloc(SLOW_PHOTO_BYTES - png.length)]);
  const response = await uploadSlowly(server, owner, bytes);
  expect(response).toMatch(/^HTTP\/1\.1 200 /);
});
