import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { DatabaseSync } from '@photostructure/sqlite';
import { expect, onTestFinished, test } from 'vitest';

import { newFolder } from './support/folder.ts';
import { FULL_CARD, sendCode, sendRequest } from './support/owner.ts';
import type { Owner } from './support/owner.ts';
import { waitUntil } from './support/polling.ts';
import { freePort } from './support/port.ts';
import { ENTRY, startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';
import { withWorker } from './support/with-worker.ts';

/** More lines than the buffer of a pipe holds. */
const REQUESTS = 1000;

async function start(environment: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer({ LOG_LEVEL: 'debug', ...environment });
  onTestFinished(() => server.dispose());
  return server;
}

/** Makes calls of every kind, valid and rejected; returns the secrets that must not be logged. */
async function makeCalls(server: RunningServer): Promise<string[]> {
  const phone = '9876512345';
  const send = <T>(path: string, body?: object, token?: string) =>
    sendRequest<T>(server, path, { body, token });
  const fail = (...call: Parameters<typeof send>) => expect(send(...call)).rejects.toThrow();
  const challenge = await sendCode(server, phone);
  const code = await server.codeFor(`+91${phone}`);
  await fail('/otp/verify', { challenge, code: '000000' });
  const { token } = await send<{ token: string }>('/otp/verify', { challenge, code });
  const owner = await send<Owner>('/user/authenticate/phone', undefined, token);
  await fail('/user/authenticate/phone', undefined, token);
  const update = `/user/updateUser/${owner._id}`;
  await send(update, { ...FULL_CARD, email: 'private.canary@example.com' }, owner.sessionToken);
  await fail(update, { name: 5, bio: 'canary bio' }, owner.sessionToken);
  const contact = { name: 'Canary Visitor', mobile: '+919812345678', email: '', companyName: '' };
  await send('/profile/addContact', { userID: owner._id, contact });
  const pages = [`/ftue?phone=%2B91${phone}`, `/api/none/${owner.sessionToken}`];
  for (const path of [...pages, `/no/such/place?phone=${phone}&token=${owner.sessionToken}`])
    await fetch(server.origin + path);
  const headers = { authorization: owner.sessionToken, 'content-type': 'application/json' };
  const invalid = { method: 'POST', headers, body: `{"phone":"${phone}"` };
  await fetch(`${server.origin}/api${update}`, invalid);
  await send('/user/logout', {}, owner.sessionToken);
  const texts = ['98765 43210', '9812345678', 'Canary Visitor', 'canary bio', 'private.canary'];
  return [challenge, token, owner.sessionToken, code, phone, ...texts];
}

/** The log without the codes of the console, and without durations, whose decimals can match a code. */
const logged = ({ output }: RunningServer) =>
  output().replaceAll(/^OTP \+\d+ \d{6}$|"ms":[\d.]+/gm, '');

test('log: contains no token, code, phone or text of a card at the level debug', async () => {
  const server = await start();
  const secrets = await makeCalls(server);
  await server.stop();
  const output = logged(server);
  expect(secrets.filter((secret) => output.includes(secret))).toEqual([]);
  // Control: requests are logged as JSON with their ids.
  for (const path of ['/api/otp/send', '/api/otp/verify', '/ftue', '/no/such/place'])
    expect(output).toMatch(new RegExp(`^{(?=.*"reqId":).*"path":"${path}"`, 'm'));
});

test('log: the stack of an error names lines of the sources', async () => {
  const server = await start();
  const database = new DatabaseSync(join(server.dataDir, 'tessera.sqlite'));
  database.exec('PRAGMA busy_timeout = 5000; ALTER TABLE users RENAME TO absent');
  database.close();
  await fetch(`${server.origin}/api/user/AbCdEfGhJkMnPqRs`);
  await server.stop();
  const [error = '{}'] = /^.*"err".*$/m.exec(logged(server)) ?? [];
  const { err } = JSON.parse(error) as { err?: { stack: string } };
  const root = join(import.meta.dirname, '..');
  expect(err?.stack).toContain(`(${join(root, 'server/adapter/database/sqlite.ts')}:`);
  expect(err?.stack).not.toContain(join(root, 'dist'));
});

/** Starts the service on a known port, because the test does not read its standard output. */
async function startUnread(output: number | 'pipe') {
  const PORT = String(await freePort());
  const settings = { PORT, HOST: '127.0.0.1', DATA_DIR: newFolder(), LOG_LEVEL: 'info' };
  const child = spawn(...withWorker([process.execPath, ENTRY]), {
    env: { PATH: process.env['PATH'] ?? '', ...settings },
    stdio: ['ignore', output, 'ignore'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const isServed = () => fetch(`http://127.0.0.1:${PORT}/robots.txt`).then(({ ok }) => ok);
  await waitUntil(() => isServed().catch(() => false));
  return {
    send: async (count: number) => {
      for (let sent = 0; sent < count; sent += 1) expect(await isServed()).toBe(true);
    },
    stop: async () => {
      const ended = once(child, 'exit') as Promise<[number | null]>;
      child.kill('SIGTERM');
      return (await ended)[0];
    },
    /** Reads the log to its end; returns the number of requests in it. */
    readLog: async () =>
      (await text(child.stdout as Readable)).split('"path":"/robots.txt"').length - 1,
  };
}

test.each(['on a full disk', 'if nobody reads it,'])('log: %s it still serves', async (reader) => {
  const isFull = reader === 'on a full disk';
  const { send, stop } = await startUnread(isFull ? openSync('/dev/full', 'w') : 'pipe');
  await send(isFull ? 20 : REQUESTS);
  expect(await stop()).toBe(0);
});

test.each([
  ['a reader gets the lines of the last requests', 20],
  ['a late reader gets the whole log', REQUESTS],
])('log: %s', async (_reader, requests) => {
  const { send, stop, readLog } = await startUnread('pipe');
  const early = requests === REQUESTS ? null : readLog();
  await send(requests);
  const ended = stop();
  // The first one found that the service had started.
  expect(await (early ?? readLog())).toBeGreaterThan(requests);
  expect(await ended).toBe(0);
});
