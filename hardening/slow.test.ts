import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { afterEach, expect, test } from 'vitest';

import { print, waitUntil } from '#tests/support/long-run.ts';
import { FULL_CARD, sendRequest, createOwner } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

const SLOW_HEADERS = 300;
const SLOW_BODIES = 200;
const SLOW_READS = 200;
const NORMAL_REQUESTS = 200;
const DRIP_EVERY_MS = 500;
/** How long each kind may hold its connection: the server's limit and some patience. */
const GONE_WITHIN_MS = 150_000;

const garbage: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const remove of garbage.splice(0).toReversed()) await remove();
});

/** A connection that goes on for ever, a byte at a time; tells how it ended. */
function drip(port: number, start: string, byte: string) {
  const socket: Socket = connect(port, '127.0.0.1');
  const state = { isOver: false, answer: '' };
  socket.on('error', () => undefined);
  socket.on('data', (chunk: Buffer) => (state.answer += chunk.toString()));
  socket.write(start);
  const timer = setInterval(() => socket.write(byte), DRIP_EVERY_MS);
  socket.on('close', () => {
    state.isOver = true;
    clearInterval(timer);
  });
  garbage.push(() => void socket.destroy());
  return state;
}

/** A connection that asks for much and reads nothing of it. */
function readNothing(port: number, path: string): void {
  const socket: Socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.pause();
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`.repeat(100));
  garbage.push(() => void socket.destroy());
}

/** How many were told that they were too slow. */
const told = (states: readonly { answer: string }[]) =>
  states.filter(({ answer }) => answer.includes('"error":"too_slow"')).length;

/** Connections that the server holds open, as the system sees them: who reads nothing sees no end. */
function heldAt(port: number): number {
  const local = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const ESTABLISHED = '01';
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, here, , state]) => here?.endsWith(local) && state === ESTABLISHED).length;
}

/** A client like any other; gives back the statuses that were not 200, and the longest wait. */
async function beNormal(server: RunningServer, owner: Owner) {
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

test('300 slow headers, 200 slow bodies and 200 slow reads leave a normal client served', async () => {
  const server = await startServer();
  garbage.push(() => server.dispose());
  const owner = await createOwner(server, '9876543210', FULL_CARD);
  const alone = await beNormal(server, owner);
  const port = Number(new URL(server.origin).port);

  const headers = Array.from({ length: SLOW_HEADERS }, () =>
    drip(port, 'GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ', 'x'),
  );
  const head = `POST /api/otp/send HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n`;
  const bodies = Array.from({ length: SLOW_BODIES }, () => drip(port, `${head}{"appId":"`, 'x'));
  const script = /\/assets\/[^"]+\.js/.exec(await (await fetch(`${server.origin}/login`)).text());
  for (let count = 0; count < SLOW_READS; count += 1) readNothing(port, script?.[0] ?? '/login');
  await pause(2000);
  // The control: they are all there.
  expect(heldAt(port)).toBeGreaterThanOrEqual(SLOW_HEADERS + SLOW_BODIES + SLOW_READS);

  const besides = await beNormal(server, owner);
  print(
    `longest wait ${Math.round(alone.longestMs)} ms alone, ${Math.round(besides.longestMs)} ms beside them`,
  );
  expect(besides.failed).toEqual([]);
  const startedAt = performance.now();
  while (heldAt(port) > 0 && performance.now() - startedAt < GONE_WITHIN_MS) await pause(1000);
  print(`${heldAt(port)} held after ${Math.round((performance.now() - startedAt) / 1000)} s`);
  expect(heldAt(port)).toBe(0);
  await waitUntil(() => [...headers, ...bodies].every(({ isOver }) => isOver));
  expect([told(headers), told(bodies)]).toEqual([SLOW_HEADERS, SLOW_BODIES]);
  await waitUntil(async () => (await fetch(`${server.origin}/readyz`)).status === 200);
});
