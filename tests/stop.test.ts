import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';

import { afterAll, expect, test, vi } from 'vitest';

import { readSettings } from '#server/settings/settings.ts';
import { settingWarnings } from '#server/settings/conflicts.ts';

import { newFolder } from './support/folder.ts';
import { startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';
import { withWorker } from './support/with-worker.ts';

const WAIT = { timeout: 30_000, interval: 20 };
const BODY = JSON.stringify({ appId: 'tessera', phone: '9876543210' });

const started: RunningServer[] = [];
afterAll(() => Promise.all(started.map((server) => server.dispose())));

async function start(environment: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer(environment);
  started.push(server);
  return server;
}

/** Starts a call without its last byte; it stays pending until `finish`. `ended` has the whole response. */
async function startCall({ origin }: RunningServer) {
  const socket = connect(Number(new URL(origin).port), '127.0.0.1');
  const ended = new Promise<string>((resolve) => socket.once('close', () => resolve(response)));
  socket.on('error', () => undefined);
  const head = 'POST /api/otp/send HTTP/1.1\r\nHost: test\r\nContent-Type: application/json\r\n';
  const length = `Content-Length: ${BODY.length}\r\nExpect: 100-continue\r\n\r\n`;
  socket.write(head + length + BODY.slice(0, -1));
  // The server has the head: it answers 100.
  await once(socket, 'data');
  let response = '';
  socket.on('data', (chunk: Buffer) => (response += chunk.toString()));
  const finish = async () => {
    socket.write(BODY.slice(-1));
    return (await ended).split('\r\n', 1)[0];
  };
  return { ended, finish };
}

const status = (origin: string, path: string) =>
  fetch(origin + path).then(
    (response) => response.status,
    () => 'closed',
  );

test.concurrent('start: prints a URL that opens, also where HOST is an IPv6 address', async () => {
  const server = await start({ HOST: '::1' });
  const url = /listens on (\S+)/.exec(server.output())?.[1] ?? '';
  expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
  expect(await status(url, '/healthz')).toBe(200);
});

test.concurrent('SIGTERM: reports draining at once, continues to serve, finishes pending calls, exits with 0', async () => {
  const server = await start({ DRAIN_SECONDS: '6' });
  const call = await startCall(server);
  const ended = server.stop('SIGTERM');
  await vi.waitUntil(async () => (await status(server.origin, '/readyz')) === 503, WAIT);
  const response = await fetch(`${server.origin}/readyz`);
  expect(await response.json()).toMatchObject({ status: 'not ready', why: ['draining'] });
  const [wait, connection] = ['retry-after', 'connection'].map((name) =>
    response.headers.get(name),
  );
  expect([wait, connection]).toEqual(['2', 'close']);
  expect(await status(server.origin, '/healthz')).toBe(200);
  expect(await status(server.origin, '/login')).toBe(200);
  await vi.waitUntil(async () => (await status(server.origin, '/healthz')) === 'closed', WAIT);
  expect(await call.finish()).toBe('HTTP/1.1 200 OK');
  expect(await ended).toBe(0);
});

test.concurrent('production: warns at the start of what suits only a trial; a clean stop is in the log', async () => {
  const environment = { NODE_ENV: 'production', SMS_GATEWAY: 'console' };
  const server = await start(environment);
  expect(await server.stop('SIGTERM')).toBe(0);
  const line = /"level":"(\w+)".*"msg":"(started|stopped|[A-Z]+_\w+)/g;
  const lines = [...server.output().matchAll(line)].map(([, level, word]) => `${level} ${word}`);
  const warnings = ['warn PUBLIC_URL', 'warn SUPPORT_EMAIL', 'warn SMS_GATEWAY'];
  expect(lines).toEqual(['info started', ...warnings, 'info stopped']);

  const SUPPORT_EMAIL = 'help@patra.example';
  for (const [PUBLIC_URL, names] of [
    ['https://patra.example', ['SMS_GATEWAY']],
    ['http://patra.example', ['PUBLIC_URL', 'SMS_GATEWAY']],
  ] as const) {
    const found = settingWarnings(readSettings({ ...environment, SUPPORT_EMAIL, PUBLIC_URL }));
    expect(found.map((sentence) => /^\w+/.exec(sentence)?.[0])).toEqual(names);
  }
  const withTests = {
    OTP_TEST_NUMBERS: '+919999900001:123456',
    OTP_TEST_NUMBERS_UNTIL: '2030-01-31',
  };
  expect(settingWarnings(readSettings(withTests))).toContainEqual(
    expect.stringContaining('OTP_TEST_NUMBERS is set'),
  );
});

test.concurrent('SIGTERM: closes an endless request after ten seconds and exits with 0', async () => {
  const server = await start();
  const call = await startCall(server);
  const ended = server.stop('SIGTERM');
  expect(await call.ended).toBe('');
  expect(await ended).toBe(0);
});

test.concurrent('SIGTERM: answers a request that has arrived on a kept connection and is not read yet', async () => {
  const hook = join(newFolder(), 'block.cjs');
  const block = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1000)';
  writeFileSync(hook, `process.on('SIGTERM', () => ${block});`);
  const server = await start({ NODE_OPTIONS: `--require=${hook}` });
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  socket.on('error', () => undefined);
  const answer = async () => {
    socket.write('GET /healthz HTTP/1.1\r\nHost: test\r\n\r\n');
    return String((await Promise.race([once(socket, 'data'), once(socket, 'close')]))[0]);
  };
  expect(await answer()).toMatch(/^HTTP\/1.1 200/);
  const ended = server.stop('SIGTERM');
  // The event loop of the server waits for a second.
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(await answer()).toMatch(/^HTTP\/1.1 200/);
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
  const found = [await status(server.origin, '/metrics'), await status(operator, '/metrics')];
  expect([...found, await status(operator, '/healthz')]).toEqual([404, 200, 404]);
  const ended = server.stop('SIGTERM');
  await vi.waitUntil(async () => (await status(server.origin, '/readyz')) === 503, WAIT);
  expect(await (await fetch(`${operator}/metrics`)).text()).toContain(
    'tessera_http_request_duration_seconds_count{method="GET",route="/readyz",status="503"}',
  );
  expect(await ended).toBe(0);
});

test.skipIf(process.platform !== 'linux')(
  'servers of tests: end with the worker that started them, also if it is killed',
  async () => {
    const server = ['-e', 'console.log(process.pid); setInterval(() => {}, 1000)'];
    const command = JSON.stringify(withWorker([process.execPath, ...server]));
    const script = `require('child_process').spawn(...${command}, { stdio: 'inherit' })`;
    const worker = spawn(process.execPath, ['-e', script]);
    const [pid] = (await once(worker.stdout, 'data')) as [Buffer];
    expect(existsSync(`/proc/${Number(pid)}`)).toBe(true);
    worker.kill('SIGKILL');
    await vi.waitUntil(() => !existsSync(`/proc/${Number(pid)}`), WAIT);
  },
);
