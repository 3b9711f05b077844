import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';

import { DatabaseSync } from '@photostructure/sqlite';
import { Client } from 'pg';
import { expect, onTestFinished, test } from 'vitest';

import { DAY_MS, HOUR_MS } from '#domain/duration.ts';
import { backUp } from '#server/command/backup/back-up.ts';
import { openPhotosIn } from '#server/command/backup/copy.ts';

import { runAdmin } from './support/admin.ts';
import { makeCertificate } from './support/certificate.ts';
import { testOnPostgres } from './support/database.ts';
import { newFolder } from './support/folder.ts';
import { exampleEnvironment } from './support/gateway.ts';
import { silentLog } from './support/log.ts';
import { createOwner, sendRequest } from './support/owner.ts';
import { waitUntil } from './support/polling.ts';
import { listen } from './support/port.ts';
import { startCluster } from './support/postgres.ts';
import { startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';

async function examine(environment: Record<string, string>) {
  const { code, stdout } = await runAdmin(environment, 'doctor', '--json');
  const findings = JSON.parse(stdout) as Record<'check' | 'state' | 'detail', string>[];
  const pick = (what: 'state' | 'detail') =>
    Object.fromEntries(findings.map((one) => [one.check, one[what]]));
  return { code, states: pick('state'), details: pick('detail') };
}

async function startPushService(differenceMs: number): Promise<string> {
  const server = createHttpServer((_request, response) => {
    response.setHeader('date', new Date(Date.now() + differenceMs).toUTCString()).end();
  });
  onTestFinished(() => void server.close());
  return listen(server);
}

/** A proxy with TLS in front of a server. Its certificate ends in two days. */
async function startTlsProxy(forwardedFor: Record<string, string>) {
  const { certificate, key } = makeCertificate(newFolder());
  let target = '';
  const pair = { key: readFileSync(key), cert: readFileSync(certificate) };
  const proxy = createServer(pair, (request, response) => {
    fetch(`${target}${request.url}`, { headers: forwardedFor })
      .then(async (answer) => response.end(await answer.text()))
      .catch(() => response.destroy());
  });
  onTestFinished(() => void proxy.close());
  const { port } = new URL(await listen(proxy));
  return {
    environment: { PUBLIC_URL: `https://localhost:${port}`, NODE_EXTRA_CA_CERTS: certificate },
    lead: ({ origin }: RunningServer) => void (target = origin),
  };
}

async function start(environment: Record<string, string> = {}): Promise<RunningServer> {
  const server = await startServer(environment);
  onTestFinished(() => server.dispose());
  return server;
}

const all = (state: string, checks: string) =>
  Object.fromEntries(checks.split(' ').map((check) => [check, state]));
const TRUSTED = { TRUST_PROXY: 'loopback' };
const FORWARDED: Record<string, string> = { 'x-forwarded-for': '203.0.113.7' };

test('doctor: has a line for each check of a service that is well, and exits with 0', async () => {
  const server = await start();
  const PUSH_TEST_ORIGIN = await startPushService(0);
  const environment = { DATA_DIR: server.dataDir, PUBLIC_URL: server.origin, PUSH_TEST_ORIGIN };
  const { code, states, details } = await examine(environment);
  expect({ code, ...states }).toEqual({
    code: 0,
    ...all(
      'ok',
      'version PUBLIC_URL TRUST_PROXY clock folder database photos pictures gateway push queue SECRET',
    ),
    ...all('warning', 'settings backup'),
    // How full the disk of this machine is, is not known.
    disk: expect.any(String) as string,
  });
  expect(details['settings']).toContain('SMS_GATEWAY');
  expect(details['disk']).toMatch(/GB are free in .* \(\d+ %\)\./);

  const database = new DatabaseSync(join(server.dataDir, 'tessera.sqlite'));
  const backUpAgo = (ageMs: number) =>
    database.exec(`INSERT OR REPLACE INTO seeds VALUES ('backup', '${Date.now() - ageMs}')`);
  backUpAgo(3 * HOUR_MS);
  const recent = {
    states: { backup: 'ok' },
    details: { backup: 'The last backup is 3 hours old.' },
  };
  expect(await examine(environment)).toMatchObject(recent);
  backUpAgo(3 * DAY_MS);
  database.close();
  const wrongClock = { ...environment, PUSH_TEST_ORIGIN: await startPushService(HOUR_MS) };
  const failed = { code: 1, states: { backup: 'failed', clock: 'failed' } };
  expect(await examine(wrongClock)).toMatchObject(failed);
});

test.each([
  { name: 'not in TRUST_PROXY', headers: FORWARDED, settings: {}, detail: 'is not in TRUST_PROXY' },
  { name: 'in TRUST_PROXY', headers: FORWARDED, settings: TRUSTED, detail: 'knows the IP address' },
  { name: 'without a header', headers: {}, settings: TRUSTED, detail: 'sends no X-Forwarded-For' },
])(
  'doctor: sees a proxy $name, and the end of its certificate',
  async ({ headers, settings, detail }) => {
    const state = detail.startsWith('knows') ? 'ok' : 'failed';
    const proxy = await startTlsProxy(headers);
    const server = await start({ ...proxy.environment, ...settings });
    proxy.lead(server);
    const PUSH_TEST_ORIGIN = await startPushService(0);
    const environment = { ...proxy.environment, PUSH_TEST_ORIGIN, DATA_DIR: server.dataDir };
    const { code, states, details } = await examine(environment);
    expect([code, states]).toMatchObject([
      state === 'ok' ? 0 : 1,
      { TRUST_PROXY: state, PUBLIC_URL: 'warning' },
    ]);
    expect(details['TRUST_PROXY']).toContain(detail);
    expect(details['PUBLIC_URL']).toMatch(/its certificate is valid until .* Renew it\.$/);
  },
);

test('doctor: names what is down, also a setting that prevents every other check', async () => {
  const nowhere = 'http://127.0.0.1:1';
  const { code, states, details } = await examine({
    DATA_DIR: join(newFolder(), 'none'),
    DATABASE_URL: 'postgres://127.0.0.1:1/none',
    PUBLIC_URL: nowhere,
    PUSH_TEST_ORIGIN: nowhere,
    ...exampleEnvironment('twilio', nowhere),
  });
  expect({ code, ...states }).toMatchObject({
    code: 1,
    ...all('failed', 'PUBLIC_URL disk database gateway'),
    ...all('warning', 'clock push queue SECRET backup'),
  });
  expect(details['database']).toMatch(/^DATABASE_URL: .* \(connect ECONNREFUSED .*\)\. Start /);
  expect(await examine({ PUBLICURL: nowhere })).toEqual({
    code: 1,
    states: { settings: 'failed' },
    details: { settings: expect.stringContaining('did you mean PUBLIC_URL?') as string },
  });
});

test('doctor: names a certificate that this machine does not trust', async () => {
  const proxy = await startTlsProxy({});
  const { PUBLIC_URL } = proxy.environment;
  const dataDir = newFolder();
  const { states, details } = await examine({
    PUBLIC_URL,
    DATA_DIR: dataDir,
    PUSH_TEST_ORIGIN: await startPushService(0),
  });
  expect(states).toMatchObject({ PUBLIC_URL: 'failed', TRUST_PROXY: 'warning' });
  expect(details['PUBLIC_URL']).toMatch(
    /^The certificate of .* is not valid for this machine \(DEPTH_ZERO_SELF_SIGNED_CERT\)\..* NODE_EXTRA_CA_CERTS /,
  );
  // Doctor creates nothing: folders that root has created cannot be read by the service.
  expect(readdirSync(dataDir)).toEqual([]);
});

test('damaged page: doctor, /readyz, and the log after a start and a backup name it', async () => {
  const { dataDir, stop } = await start();
  await stop();
  const file = join(dataDir, 'tessera.sqlite');
  const database = new DatabaseSync(file);
  const insert = database.prepare('INSERT INTO seeds VALUES (?, ?)');
  for (let number = 0; number < 200; number += 1) insert.run(`seed ${number}`, 'a'.repeat(100));
  database.exec('PRAGMA journal_mode = DELETE');
  database.close();
  const bytes = readFileSync(file);
  const PAGE_BYTES = 4096;
  const page = Math.floor(bytes.indexOf('a'.repeat(100)) / PAGE_BYTES);
  writeFileSync(file, bytes.fill(0xff, page * PAGE_BYTES, page * PAGE_BYTES + 1500));

  const server = await start({ DATA_DIR: dataDir, LOG_LEVEL: 'error' });
  const { level, damage } = JSON.parse(
    await waitUntil(() => /^.*the database is damaged.*$/m.exec(server.output())?.[0]),
  ) as Record<string, string>;
  expect([level, damage]).toEqual(['error', expect.stringMatching(/page \d+|malformed/i)]);
  const readyz = await (await fetch(`${server.origin}/readyz`)).json();
  expect(readyz).toEqual({ status: 'ready', degraded: ['data'] });
  const { states, details } = await examine({
    DATA_DIR: dataDir,
    PUSH_TEST_ORIGIN: await startPushService(0),
  });
  expect([states['database'], details['database']]).toEqual([
    'failed',
    expect.stringContaining('The embedded database is damaged (') as string,
  ]);
  const settings = { dataDir, databaseUrl: null };
  const stores = {
    settings,
    photos: openPhotosIn(dataDir),
    log: silentLog,
    print: () => undefined,
    step: () => undefined,
  };
  await expect(backUp(stores, join(newFolder(), 'backup'))).rejects.toThrow(
    /^DATA_DIR: .* is damaged \(.*\)\. Restore a backup/,
  );
});

testOnPostgres(
  'damaged page of PostgreSQL: doctor names it, and so do /readyz and the log after a request that needs it',
  async () => {
    const cluster = await startCluster();
    onTestFinished(() => cluster.stop());
    const DATABASE_URL = cluster.url;
    const server = await start({ DATABASE_URL, LOG_LEVEL: 'warn' });
    const owner = await createOwner(server, '9876543210', { name: 'Asha Rao' });
    const contact = { name: 'Ravi', mobile: '9876512345' };
    await sendRequest(server, '/profile/addContact', { body: { userID: owner._id, contact } });
    const client = new Client({ connectionString: DATABASE_URL });
    await client.connect();
    await client.query('CHECKPOINT');
    const { rows } = await client.query<{ path: string }>(
      "SELECT current_setting('data_directory') || '/' || pg_relation_filepath('contacts') AS path",
    );
    await client.end();
    cluster.halt();
    writeFileSync(rows[0]?.path ?? '', Buffer.alloc(8192, 0xff));
    cluster.resume();
    const readyz = async () => (await fetch(`${server.origin}/readyz`)).json();
    await expect.poll(readyz).toEqual({ status: 'ready' });
    const PUSH_TEST_ORIGIN = await startPushService(0);
    const environment = { DATA_DIR: server.dataDir, DATABASE_URL, PUSH_TEST_ORIGIN };
    const { code, states, details } = await examine(environment);
    expect([code, states['database'], details['database']]).toEqual([
      1,
      'failed',
      expect.stringMatching(
        /^PostgreSQL is damaged \(invalid page in block 0 of .*#restore-at-night\.$/,
      ),
    ]);
    const contacts = `/profile/getContacts/${owner._id}`;
    await expect(sendRequest(server, contacts, { token: owner.sessionToken })).rejects.toThrow(
      '500',
    );
    await expect.poll(readyz).toEqual({ status: 'ready', degraded: ['data'] });
    // The log is written a moment later.
    await expect.poll(server.output).toMatch(/"why":\{"data":"invalid page in block 0 of /);
  },
);
