// Measures a cached card during an attack, or while a dependency hangs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync } from 'node:fs';
import { createServer as createPushService } from 'node:http';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createClient, fromAddress, timeRequests } from './client.mjs';
import { addContacts, addNotifications } from './contacts.mjs';
import { openLockedRow } from './locked-row.mjs';

const DURATION_MS = 3000;
/** Enough for 50,000 contacts. */
const CONTACTS_MS = 20_000;
const WARM_UP_MS = 1000;
const DOWNLOADING_OWNERS = 12;
/** Of each of these owners, and of the first. */
const CONTACTS = 20_000;
const CONTACTS_MOST = 100_000;
const ATTACKERS = join(import.meta.dirname, 'attackers.mjs');

/** Prepares the service for each attack. Returns null if that is not possible on this machine. */
const SETUPS = {
  'long-names': openService,
  guesses: openService,
  previews: openService,
  saves: openService,
  photos: openService,
  download: openDownloads,
  'unread-downloads': openDownloads,
  'hanging-provider': openHangingProvider,
  'hanging-store': openHangingStore,
  'locked-row': openLockedRow,
  contacts: async (setup) => ({ ...(await openService(setup)), attackMs: CONTACTS_MS }),
  notifications: openNotifications,
};

/** Measures cards without and during each attack; returns the figures of all. */
export async function measureAttacks(setup) {
  const figures = {};
  for (const [attack, prepare] of Object.entries(SETUPS)) {
    const target = await prepare(setup);
    if (target === null) continue;
    const { before, during, rate } = await timeAttack(target, attack);
    for (const [state, { p50, p99 }] of Object.entries({ before, during })) {
      figures[`${attack}-${state}-p50`] = p50;
      figures[`${attack}-${state}-p99`] = p99;
    }
    figures[`${attack}-ratio`] = during.p99 / before.p99;
    figures[`${attack}-rate`] = rate;
    await target.close();
  }
  return figures;
}

/** Times a card on a service, then again during the attack; counts the attack's replies. */
async function timeAttack(target, attack) {
  const { service, card, owner, owners, startFault, attackMs = DURATION_MS } = target;
  const { origin } = service;
  const send = createClient(origin);
  const requests = { card: (count) => send(card, { headers: fromAddress(count) }) };
  await timeRequests(requests, delay(WARM_UP_MS));
  const { card: before } = await timeRequests(requests, delay(DURATION_MS));
  await startFault?.();
  const attackers = fork(ATTACKERS, [JSON.stringify({ attack, origin, card, owner, owners })]);
  await once(attackers, 'message');
  const { card: during } = await timeRequests(requests, delay(attackMs));
  attackers.send('end');
  const [count] = await once(attackers, 'message');
  attackers.kill('SIGKILL');
  send.close();
  return { before, during, rate: (count * 1000) / attackMs };
}

async function openService(setup, options = {}) {
  const service = await setup.startService({ ...options, cores: '0,1' });
  return {
    service,
    card: `/user/${setup.ids[0]}`,
    owner: setup.owners[1],
    owners: setup.owners,
    close: () => service.stop('SIGKILL'),
  };
}

/** Opens a service with owners who have contacts, one of them 100,000. */
async function openDownloads(setup) {
  const data = mkdtempSync(join(setup.folder, 'downloads-'));
  cpSync(setup.dataDir, data, { recursive: true });
  const owners = setup.owners.slice(1, 2 + DOWNLOADING_OWNERS);
  for (const { id } of owners)
    addContacts(data, id, id === owners[0].id ? CONTACTS_MOST : CONTACTS);
  const target = await openService(setup, { from: data });
  // The first download compiles the code.
  const { id, token } = owners.at(-1);
  const headers = { authorization: token };
  const path = `/api/account/downloadAccount/${id}`;
  await (await fetch(target.service.origin + path, { headers })).arrayBuffer();
  return { ...target, owners: owners.slice(0, -1) };
}

/** Opens a service with 100,000 due notifications, whose push service accepts them at once. */
async function openNotifications(setup) {
  const data = mkdtempSync(join(setup.folder, 'notifications-'));
  cpSync(setup.dataDir, data, { recursive: true });
  const push = createPushService((_, response) => response.writeHead(201).end());
  await new Promise((resolve) => push.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${push.address().port}`;
  addContacts(data, setup.owners[0].id, CONTACTS_MOST);
  addNotifications(data, origin);
  const env = { NODE_ENV: 'test', PUSH_TEST_ORIGIN: origin };
  const target = await openService(setup, { from: data, env });
  const close = async () => {
    await target.close();
    push.close();
  };
  return { ...target, close };
}

/** Opens a service whose bucket hangs. */
function openHangingStore(setup) {
  return withHangingServer((origin) =>
    openService(setup, {
      env: {
        S3_BUCKET: 'cards',
        S3_ENDPOINT: origin,
        S3_ACCESS_KEY_ID: 'bench',
        S3_SECRET_ACCESS_KEY: 'bench-secret',
      },
    }),
  );
}

/** Opens a service whose login provider hangs. */
function openHangingProvider(setup) {
  return withHangingServer((origin) =>
    openService(setup, {
      env: {
        OTP_PROVIDER: 'otpless',
        OTP_APP_ID: 'bench',
        OTP_SERVICE_URL: origin,
        OTPLESS_CLIENT_ID: 'bench',
        OTPLESS_CLIENT_SECRET: 'bench-secret',
      },
    }),
  );
}

/** Opens a service that uses a server which accepts connections and never responds. */
async function withHangingServer(open) {
  const sockets = new Set();
  const server = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = await open(`http://127.0.0.1:${server.address().port}`);
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await target.close();
  };
  return { ...target, close };
}
