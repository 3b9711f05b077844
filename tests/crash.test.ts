import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, expect, test } from 'vitest';

import { crashRepeatedly, runInGroups } from './support/crash.ts';
import { readNumber } from './support/environment-number.ts';
import { newFolder } from './support/folder.ts';
import { contactNames } from './support/load.ts';
import { createOwner, sendRequest } from './support/owner.ts';
import { waitUntil } from './support/polling.ts';
import { ENTRY, startServer } from './support/server.ts';
import { withWorker } from './support/with-worker.ts';

/** `npm run hardening -- crash` has a thousand. */
const ROUNDS = readNumber('HARDENING_CRASHES', 10);
/** Ends the writing thread on a signal, between two messages: in the driver of SQLite its end would be SIGABRT. */
const END_THREAD = `
const { Worker, isMainThread, parentPort } = require('node:worker_threads');
const { postMessage } = Worker.prototype;
let last;
if (isMainThread) process.on('SIGUSR2', () => last.postMessage('end'));
else parentPort.on('message', (message) => message === 'end' && process.exit());
Worker.prototype.postMessage = function (...values) {
  last = this;
  return postMessage.apply(this, values);
};`;

const started: { dispose: () => Promise<void> }[] = [];
afterAll(async () => {
  for (const one of started.toReversed()) await one.dispose();
});

async function start(environment?: Record<string, string>) {
  const server = await startServer(environment);
  started.push(server);
  return server;
}

async function startCrashTarget() {
  const TRUST_PROXY = '127.0.0.1';
  let server = await start({ TRUST_PROXY });
  const crash = async () => {
    await server.stop('SIGKILL');
    server = await start({ TRUST_PROXY, DATA_DIR: server.dataDir });
  };
  return { server: () => server, crash };
}

test.concurrent(`kill -9: acknowledged writes survive ${ROUNDS} crashes`, async () => {
  await runInGroups(ROUNDS, async (rounds) => {
    const target = await startCrashTarget();
    const { load, record } = await crashRepeatedly(target, rounds);
    // Control: a deliberate loss is found.
    record.contacts.add('Visitor who was never sent');
    record.lastAcknowledged = record.lastSent = record.lastSent + 1;
    expect(await load.findLosses(target.server().origin)).toEqual([
      'Visitor who was never sent is lost',
      expect.stringMatching(/^save \d+ is lost/),
    ]);
  });
});

test('table: a kill -9 while people join leaves nobody out of the table or the contacts', async () => {
  const server = await start();
  const owner = await createOwner(server, '9876543210', { name: 'Asha' });
  const as = { token: owner.sessionToken };
  const path = `/table/createTable/${owner._id}`;
  const { table } = await sendRequest<{ table: string }>(server, path, {
    ...as,
    body: { name: 'Table' },
  });
  const joined: string[] = [];
  const sitDown = async (name: string) => {
    const contact = { name, mobile: '', email: `${name}@made.example` };
    await sendRequest(server, '/table/joinTable', { body: { table, contact } });
    joined.push(name);
  };
  const joining = Promise.allSettled(Array.from({ length: 25 }, (_, n) => sitDown(`person-${n}`)));
  await waitUntil(() => joined.length >= 5);
  await server.stop('SIGKILL');
  await joining;
  const again = await start({ DATA_DIR: server.dataDir });
  const { people } = await sendRequest<{ people: { name: string }[] }>(
    again,
    `/table/${table}`,
    as,
  );
  const names = people.map(({ name }) => name).toSorted((a, b) => a.localeCompare(b));
  expect(names).toEqual(expect.arrayContaining(joined));
  const contacts = await contactNames(again.origin, owner);
  expect(contacts.toSorted((a, b) => a.localeCompare(b))).toEqual(names);
});

const readyz = async (at: string) => (await fetch(`${at}/readyz`)).json();

test.concurrent('data folder: a second server exits with a message; it is free after a kill, and waited for', async () => {
  const first = await start();
  const { origin, dataDir: DATA_DIR } = first;
  await expect(startServer({ DATA_DIR })).rejects.toThrow(
    `Another Tessera is running on the data folder ${DATA_DIR}. Stop it, or set DATA_DIR to another folder.`,
  );
  expect(await readyz(origin)).toEqual({ status: 'ready', degraded: ['folder'] });
  await first.stop('SIGKILL');

  const closing = await start({ DATA_DIR, DRAIN_SECONDS: '2' });
  const ended = closing.stop();
  const next = await start({ DATA_DIR });
  expect([await ended, await readyz(next.origin)]).toEqual([0, { status: 'ready' }]);
});

test.each(['.new', '.new-wal', '', '-wal'])('first start: a kill at %j is safe', async (suffix) => {
  const dataDir = newFolder();
  const file = join(dataDir, 'tessera.sqlite');
  const env = { ...process.env, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1' };
  const first = spawn(...withWorker([process.execPath, ENTRY]), { env, stdio: 'ignore' });
  // The last file of a start ends the wait for one that was missed.
  while (![suffix, '-wal'].some((end) => existsSync(file + end))) await yieldToEventLoop();
  first.kill('SIGKILL');
  await once(first, 'exit');
  if (existsSync(file)) {
    const database = new DatabaseSync(file, { readOnly: true });
    expect(database.prepare('SELECT number FROM migrations').all()).not.toEqual([]);
    database.close();
  }
  const next = await startServer({ DATA_DIR: dataDir });
  expect((await fetch(`${next.origin}/readyz`)).status).toBe(200);
  await next.stop('SIGKILL');
});

test('cleanup: a start of the server removes expired rows and orphaned photo files', async () => {
  const { dataDir, stop } = await start();
  await stop();
  const database = new DatabaseSync(join(dataDir, 'tessera.sqlite'));
  database.exec("INSERT INTO counters (key, count, expires_at) VALUES ('expired', 1, 0)");
  const orphan = join(dataDir, 'photos', 'unfinished.part');
  mkdirSync(join(dataDir, 'photos'), { recursive: true });
  writeFileSync(orphan, '');
  utimesSync(orphan, 0, 0);
  await start({ DATA_DIR: dataDir });
  await waitUntil(() => !existsSync(orphan));
  await waitUntil(() => database.prepare('SELECT key FROM counters').all().length === 0);
  database.close();
});

test('writing thread: its end stops the service with an error, and a restart has all saves', async () => {
  const hook = join(newFolder(), 'end-thread.cjs');
  writeFileSync(hook, END_THREAD);
  const server = await start({ NODE_OPTIONS: `--require=${hook}` });
  const { _id } = await createOwner(server, '9876543210', { name: 'Asha' });
  expect(await server.stop('SIGUSR2')).toBe(1);
  expect(server.errors()).toContain('The writing thread has ended.');
  const again = await start({ DATA_DIR: server.dataDir });
  expect(await sendRequest(again, `/user/${_id}`)).toMatchObject({ name: 'Asha' });
});
