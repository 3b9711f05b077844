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

const [SLOW_HEADERS, SLOW_BODIES, SLOW_READS] = [300, 200, 200];
const NORMAL_REQUESTS = 200;
const BYTE_INTERVAL_MS = 500;
/** A slow mobile connection. */
const SLOW_LINE_BYTES_PER_SECOND = 25_000;
const SLOW_PHOTO_BYTES = 1_200_000;
/** The server's longest time limit, with a margin. */
const CLOSED_WITHIN_MS = 150_000;

/** A connection to the service until the end of the test, with what it has received unless it reads nothing. */
function open(port: number, isReading = true) {
  const state = { socket: connect(port, '127.0.0.1'), isClosed: false, response: '' };
  state.socket.on('error', () => undefined);
  state.socket.on('close', () => (state.isClosed = true));
  if (isReading) state.socket.on('data', (chunk) => (state.response += chunk.toString()));
  onTestFinished(() => void state.socket.destroy());
  return state;
}

/** A connection that sends one byte after the other without end; returns its state. */
function sendSlowly(port: number, start: string) {
  const state = open(port);
  state.socket.write(start);
  const timer = setInterval(() => state.socket.write('x'), BYTE_INTERVAL_MS);
  state.socket.on('close', () => clearInterval(timer));
  return state;
}

/** A connection that sends many requests and reads no response. */
function readNothing(port: number, path: string): void {
  const { socket } = open(port, false);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(100));
}

/** The number of connections that got the error too_slow. */
const countTooSlow = (states: readonly { response: string }[]) =>
  states.filter(({ response }) => response.includes('"error":"too_slow"')).length;

function countOpen(port: number): number {
  const local = port.toString(16).toUpperCase().padStart(4, '0');
  // 01 is the state ESTABLISHED.
  const line = new RegExp(`^ *\\d+: \\w+:${local} \\w+:\\w+ 01 `, 'gm');
  return readFileSync('/proc/net/tcp', 'utf8').match(line)?.length ?? 0;
}

/** Reads and saves a card; returns the time of the slowest pair of calls. Throws after an error. */
async function runNormalClient(server: RunningServer, { _id, sessionToken }: Owner) {
  let longestMs = 0;
  for (let count = 0; count < NORMAL_REQUESTS; count += 1) {
    const startedAt = performance.now();
    const page = await fetch(`${server.origin}/user/${_id}`);
    expect([page.status, await page.text()]).toEqual([200, expect.any(String)]);
    const call = { body: { name: `Name ${count}` }, token: sessionToken };
    await sendRequest(server, `/user/updateUser/${_id}`, call);
    longestMs = Math.max(longestMs, performance.now() - startedAt);
  }
  return Math.round(longestMs);
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
  print(`longest call ${alone} ms alone, ${together} ms with slow clients`);
  const startedAt = performance.now();
  while (countOpen(port) > 0 && performance.now() - startedAt < CLOSED_WITHIN_MS) await pause(1000);
  print(`${countOpen(port)} open after ${Math.round((performance.now() - startedAt) / 1000)} s`);
  expect(countOpen(port)).toBe(0);
  await waitUntil(() => [...headers, ...bodies].every(({ isClosed }) => isClosed));
  expect([countTooSlow(headers), countTooSlow(bodies)]).toEqual([SLOW_HEADERS, SLOW_BODIES]);
  await waitUntil(async () => (await fetch(`${server.origin}/readyz`)).status === 200);
});

test('slow upload: a photo over a line of 25 KB/s is saved, although it takes longer than 30 s', async () => {
  const server = await startServer();
  onTestFinished(() => server.dispose());
  const owner = await createOwner(server, '9876543210', FULL_CARD);
  const png = await twoHalves({ width: 300, height: 300 }).png().toBuffer();
  // Decoders ignore bytes after the end of a PNG.
  const bytes = Buffer.concat([png, Buffer.alloc(SLOW_PHOTO_BYTES - png.length)]);
  const form = photoForm(owner._id, bytes);
  const request = new Request('http://localhost/', { method: 'POST', body: form });
  const body = Buffer.from(await request.arrayBuffer());
  const state = open(Number(new URL(server.origin).port));
  state.socket.write(
    `POST /api/user/uploadProfileImage HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n` +
      `Authorization: ${owner.sessionToken}\r\nContent-Length: ${body.length}\r\n` +
      `Content-Type: ${request.headers.get('content-type') ?? ''}\r\n\r\n`,
  );
  const step = SLOW_LINE_BYTES_PER_SECOND / 10;
  for (let start = 0; start < body.length && !state.isClosed; start += step) {
    state.socket.write(body.subarray(start, start + step));
    await pause(100);
  }
  await waitUntil(() => state.isClosed);
  expect(state.response).toMatch(/^HTTP\/1\.1 200 /);
});
