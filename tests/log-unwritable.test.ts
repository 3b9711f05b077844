import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { expect, onTestFinished, test, vi } from 'vitest';

import { freePort } from './support/port.ts';
import { ENTRY } from './support/server.ts';

const WAIT = { timeout: 10_000, interval: 50 };
/** More lines than the buffer of a pipe holds. */
const REQUESTS = 1000;

/** Starts the service on a known port, because the test does not read its standard output. */
async function start(output: number | 'pipe') {
  const port = await freePort();
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-data-'));
  const child = spawn(process.execPath, [ENTRY], {
    env: {
      PATH: process.env['PATH'] ?? '',
      PORT: String(port),
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      LOG_LEVEL: 'info',
    },
    stdio: ['ignore', output, 'ignore'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });
  const sendRequest = () =>
    fetch(`http://127.0.0.1:${port}/robots.txt`).then(
      ({ status }) => status,
      () => 0,
    );
  await vi.waitUntil(async () => (await sendRequest()) === 200, WAIT);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    return (await ended)[0] as number | null;
  };
  return { child, sendRequest, stop };
}

test('log: on a full disk the service still serves and stops', async () => {
  const { sendRequest, stop } = await start(openSync('/dev/full', 'w'));
  for (let count = 0; count < 20; count += 1) expect(await sendRequest()).toBe(200);
  expect(await stop()).toBe(0);
});

test('log: if nobody reads it, the service still serves and stops', async () => {
  const { child, sendRequest, stop } = await start('pipe');
  child.stdout?.pause();
  for (let count = 0; count < REQUESTS; count += 1) expect(await sendRequest()).toBe(200);
  expect(await stop()).toBe(0);
});

test('log: the lines of the last requests are written at the stop', async () => {
  const { child, sendRequest, stop } = await start('pipe');
  let log = '';
  child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  const closed = once(child, 'close');
  const before = log.split('"status":200').length;
  for (let count = 0; count < 20; count += 1) expect(await sendRequest()).toBe(200);
  expect(await stop()).toBe(0);
  await closed;
  expect(log.split('"status":200').length - before).toBeGreaterThanOrEqual(20);
});

test('log: a late reader gets the whole log', async () => {
  const { child, sendRequest, stop } = await start('pipe');
  let log = '';
  for (let count = 0; count < REQUESTS; count += 1) await sendRequest();
  const closed = once(child, 'close');
  const ended = stop();
  child.stdout?.on('data', (chunk: Buffer) => (log += chunk.toString()));
  expect(await ended).toBe(0);
  await closed;
  expect(log.split('"path":"/robots.txt"').length - 1).toBeGreaterThan(REQUESTS);
});
