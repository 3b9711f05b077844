import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, expect, test, vi } from 'vitest';

import { startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';

const WAIT = { timeout: 30_000, interval: 20 };
const BODY = JSON.stringify({ appId: 'tessera', phone: '9876543210' });

const started: RunningServer[] = [];
afterAll(() => Promise.all(started.map((server) => server.dispose())));

async function start(environment: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer(environment);
  started.push(server);
  return server;
}

/** Starts a call without its last byte; it stays pending until `finish`. */
async function startCall({ origin }: RunningServer) {
  const socket: Socket = connect(Number(new URL(origin).port), '127.0.0.1');
  let response = '';
  socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/otp/send HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY.slice(0, -1)}`,
  );
  await pause(200);
  return {
    finish: async () => {
      socket.write(BODY.slice(-1));
      await ended;
      return response.split('\r\n', 1)[0];
    },
    waitForEnd: async () => {
      await ended;
      return response;
    },
  };
}

const status = (origin: string, path: string) =>
  fetch(origin + path).then(
    (response) => response.status,
    () => 'closed',
  );

test.concurrent('SIGTERM: reports draining at once, continues to serve, finishes pending calls, exits with 0', async () => {
  const server = await start({ DRAIN_SECONDS: '6' });
  const call = await startCall(server);
  const ended = server.stop('SIGTERM');
  await vi.waitUntil(async () => (await status(server.origin, '/readyz')) === 503, WAIT);
  const response = await fetch(`${server.origin}/readyz`);
  expect({
    ready: await response.json(),
    retryAfter: response.headers.get('retry-after'),
    connection: response.headers.get('connection'),
    health: await status(server.origin, '/healthz'),
    page: await status(server.origin, '/login'),
  }).toEqual({
    ready: expect.objectContaining({ status: 'not ready', why: ['draining'] }),
    retryAfter: '2',
    connection: 'close',
    health: 200,
    page: 200,
  });
  await vi.waitUntil(async () => (await status(server.origin, '/healthz')) === 'closed', WAIT);
  expect(await call.finish()).toBe('HTTP/1.1 200 OK');
  expect(await ended).toBe(0);
});

test.concurrent('production: warns at the start of what suits only a trial; a clean stop is in the log', async () => {
  const NODE_ENV = 'production';
  const linesOf = async (environment: Record<string, string>) => {
    const server = await start({ NODE_ENV, SMS_GATEWAY: 'console', ...environment });
    expect(await server.stop('SIGTERM')).toBe(0);
    const lines = [
      ...server.output().matchAll(/"level":"(\w+)".*"msg":"(started|stopped|[A-Z]+_\w+)/g),
    ];
    return lines.map(([, level, word]) => `${level} ${word}`);
  };
  const gateway = 'warn SMS_GATEWAY';
  expect(await linesOf({})).toEqual([
    'info started',
    'warn PUBLIC_URL',
    'warn SUPPORT_EMAIL',
    gateway,
    'info stopped',
  ]);
  const SUPPORT_EMAIL = 'help@patra.example';
  expect(await linesOf({ SUPPORT_EMAIL, PUBLIC_URL: 'https://patra.example' })).toEqual([
    'info started',
    gateway,
    'info stopped',
  ]);
  expect(await linesOf({ SUPPORT_EMAIL, PUBLIC_URL: 'http://patra.example' })).toEqual([
    'info started',
    'warn PUBLIC_URL',
    gateway,
    'info stopped',
  ]);
});

test.concurrent('SIGTERM: closes an endless request after ten seconds and exits with 0', async () => {
  const server = await start();
  const call = await startCall(server);
  const ended = server.stop('SIGTERM');
  expect(await call.waitForEnd()).toBe('');
  expect(await ended).toBe(0);
});

test.concurrent('SIGINT: finishes pending calls without draining; a second one exits at once', async () => {
  const first = await start({ DRAIN_SECONDS: '300' });
  const call = await startCall(first);
  const ended = first.stop('SIGINT');
  await vi.waitUntil(async () => (await status(first.origin, '/healthz')) === 'closed', WAIT);
  expect(await call.finish()).toBe('HTTP/1.1 200 OK');
  expect(await ended).toBe(0);

  const second = await start();
  await startCall(second);
  void second.stop('SIGINT');
  await vi.waitUntil(async () => (await status(second.origin, '/healthz')) === 'closed', WAIT);
  expect(await second.stop('SIGINT')).toBe(130);
});

test.concurrent('metrics port: serves the metrics until the exit; the main port does not serve them', async () => {
  const server = await start({ METRICS_PORT: '0', DRAIN_SECONDS: '6' });
  const port = /^Metrics: http:\/\/localhost:(\d+)\/metrics$/m.exec(server.output())?.[1] ?? '';
  const operator = `http://127.0.0.1:${port}`;
  expect([
    await status(server.origin, '/metrics'),
    await status(operator, '/metrics'),
    await status(operator, '/healthz'),
  ]).toEqual([404, 200, 404]);
  const ended = server.stop('SIGTERM');
  await vi.waitUntil(async () => (await status(server.origin, '/readyz')) === 503, WAIT);
  expect(await (await fetch(`${operator}/metrics`)).text()).toContain(
    'tessera_http_request_duration_seconds_count{method="GET",route="/readyz",status="503"}',
  );
  expect(await ended).toBe(0);
});
