import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { expect, onTestFinished, test } from 'vitest';

import { OPEN_JSON_SIZE_BYTES_MAX } from '#server/http/route.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { print } from '#tests/support/print.ts';
import { FULL_CARD, sendRequest, createOwner } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

const [SLOW_HEADERS, SLOW_BODIES, SLOW_READS] = [300, 200, 200];
const NORMAL_REQUESTS = 200;
const BYTE_INTERVAL_MS = 500;
/** The server's limit of a whole request is 300 s. */
const CLOSED_WITHIN_MS = 330_000;

/** A connection to the service until the end of the test, with what it has received unless it reads nothing. */
function open(port: number, isReading = true) {
  const state = { socket: connect(port, '127.0.0.1'), isClosed: false, response: '' };
  state.socket.on('error', () => undefined);
  state.socket.on('close', () => (state.isClosed = true));
  if (isReading) state.socket.on('data', (chunk) => (state.response += chunk.toString()));
  onTestFinished(() => void state.socket.destroy());
  return state;
}

function sendSlowly(port: number, start: string) {
  const state = open(port);
  state.socket.write(start);
  const timer = setInterval(() => state.socket.write('x'), BYTE_INTERVAL_MS);
  state.socket.on('close', () => clearInterval(timer));
  return state;
}

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
  for (let count = 0; count < SLOW_READS; count += 1) {
    const { socket } = open(port, false);
    socket.pause();
    socket.write(`GET ${script?.[0] ?? '/login'} ${host}\r\n`.repeat(100));
  }
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
