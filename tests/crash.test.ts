import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import { DatabaseSync } from '@photostructure/sqlite';
import { afterAll, expect, test } from 'vitest';

import { crashRepeatedly, runInGroups } from './support/crash.ts';
import { readNumber } from './support/environment-number.ts';
import { newFolder } from './support/folder.ts';
import { createOwner, sendRequest, verifyOwner } from './support/owner.ts';
import { waitUntil } from './support/polling.ts';
import { startPushService } from './support/push-service.ts';
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

test.concurrent('data folder: a second server exits with a message; it is free after a kill, and waited for', async () => {
  const first = await start();
  const { origin, dataDir: DATA_DIR } = first;
  await expect(startServer({ DATA_DIR })).rejects.toThrow(
    `Another Tessera is running on the data folder ${DATA_DIR}. Stop it, or set DATA_DIR to another folder.`,
  );
  expect((await fetch(`${origin}/readyz`)).status).toBe(200);
  await first.stop('SIGKILL');

  const closing = await start({ DATA_DIR, DRAIN_SECONDS: '2' });
  const ended = closing.stop();
  const next = await start({ DATA_DIR });
  expect([await ended, (await fetch(`${next.origin}/readyz`)).status]).toEqual([0, 200]);
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

test('kill -9: what an arriving upload leaves in the data folder is removed by the next start', async () => {
  const server = await start();
  const { sessionToken } = await createOwner(server, '9876543210', { name: 'Asha' });
  const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /api/user/uploadProfileImage HTTP/1.1\r\nHost: localhost\r\nAuthorization: ${sessionToken}\r\n` +
      'Content-Length: 9900000\r\nContent-Type: multipart/form-data; boundary=x\r\n\r\n' +
      '--x\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n',
  );
  // More than the buffers of both sockets: the server has received a part of the picture.
  await new Promise((resolve) => socket.write(Buffer.alloc(9_500_000), resolve));
  await server.stop('SIGKILL');
  const files = () => readdirSync(join(server.dataDir, 'uploads'));
  expect(files()).toHaveLength(1);
  await start({ DATA_DIR: server.dataDir });
  expect(files()).toEqual([]);
});

test('kill -9: a webhook that waits for its receiver is sent again with its id, and then no more', async () => {
  const receiver = await startPushService();
  const phone = '9876543210';
  const environment = { VIEWS: 'contacts', WEBHOOK_TEST_ORIGIN: receiver.origin };
  const server = await start(environment);
  const owner = await createOwner(server, phone, { name: 'Asha' });
  const { token } = await verifyOwner(server, owner, { phone });
  const body = { url: `${receiver.origin}/hang/1`, token };
  const call = { token: owner.sessionToken, body };
  await sendRequest(server, `/user/${owner._id}/webhook`, call);
  const contact = { userID: owner._id, contact: { name: 'Ravi', mobile: '1' } };
  await sendRequest(server, '/profile/addContact', { body: contact });
  await waitUntil(() => receiver.received.length === 1);
  await server.stop('SIGKILL');
  // The lease of the killed process ends after a minute.
  const database = new DatabaseSync(join(server.dataDir, 'tessera.sqlite'));
  expect(database.prepare('UPDATE webhooks SET next_at = 1').run().changes).toBe(1);
  receiver.replyAs('hang', 'created');
  await start({ ...environment, DATA_DIR: server.dataDir });
  const waiting = () => database.prepare('SELECT id FROM webhook_messages').all();
  await waitUntil(() => waiting().length === 0);
  database.close();
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toEqual([ids[0], ids[0]]);
  await receiver.close();
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
