import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { expect, onTestFinished, test, vi } from 'vitest';

import { newFolder } from './support/folder.ts';
import { freePort } from './support/port.ts';
import { ENTRY } from './support/server.ts';

const WAIT = { timeout: 10_000, interval: 50 };
/** More lines than the buffer of a pipe holds. */
const REQUESTS = 1000;

/** Starts the service on a known port, because the test does not read its standard output. */
async function start(output: number | 'pipe') {
  const PORT = String(await freePort());
  const settings = { PORT, HOST: '127.0.0.1', DATA_DIR: newFolder(), LOG_LEVEL: 'info' };
  const child = spawn(process.execPath, [ENTRY], {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', output, 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const sendRequest = () =>
    fetch(`http://127.0.0.1:${PORT}/robots.txt`).then(
      ({ status }) => status,
      () => 0,
    );
  await vi.waitUntil(async () => (await sendRequest()) === 200, WAIT);
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    return (await ended)[0] as number | null;
  };
  /** Reads the log to its end; returns the number of requests in it. */
  const readLog = async () =>
    (await text(child.stdout as Readable)).split('"path":"/robots.txt"').length - 1;
  return { sendRequest, stop, readLog };
}

test.each(['on a full disk', 'if nobody reads it,'])(
  'log: %s the service still serves and stops',
  async (reader) => {
    const isFull = reader === 'on a full disk';
    const { sendRequest, stop } = await start(isFull ? openSync('/dev/full', 'w') : 'pipe');
    for (let count = 0; count < (isFull ? 20 : REQUESTS); count += 1)
      expect(await sendRequest()).toBe(200);
    expect(await stop()).toBe(0);
  },
);

test('log: the lines of the last requests are written at the stop', async () => {
  const { sendRequest, stop, readLog } = await start('pipe');
  const lines = readLog();
  for (let count = 0; count < 20; count += 1) expect(await sendRequest()).toBe(200);
  expect(await stop()).toBe(0);
  // The first one found that it had started.
  expect(await lines).toBeGreaterThan(20);
});

test('log: a late reader gets the whole log', async () => {
  const { sendRequest, stop, readLog } = await start('pipe');
  for (let count = 0; count < REQUESTS; count += 1) await sendRequest();
  const ended = stop();
  expect(await readLog()).toBeGreaterThan(REQUESTS);
  expect(await ended).toBe(0);
});
