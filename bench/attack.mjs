// Measures a cached card during an attack, or while a dependency hangs.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { createClient, fromAddress, timeRequests } from './client.mjs';
import { openLockedRow } from './locked-row.mjs';

const DURATION_MS = 3000;
const WARM_UP_MS = 1000;
const ATTACKERS = join(import.meta.dirname, 'attackers.mjs');

/** Prepares the service for each attack. Returns null if that is not possible on this machine. */
const SETUPS = {
  'long-names': openService,
  guesses: openService,
  previews: openService,
  'hanging-store': openHangingStore,
  'locked-row': openLockedRow,
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
    figures[`${attack}-rate`] = rate;
    await target.close();
  }
  return figures;
}

/** Times a card on a service, then again during the attack; counts the attack's replies. */
async function timeAttack({ service, card, owner, startFault }, attack) {
  const { origin } = service;
  const send = createClient(origin);
  const requests = { card: (count) => send(card, { headers: fromAddress(count) }) };
  await timeRequests(requests, delay(WARM_UP_MS));
  const { card: before } = await timeRequests(requests, delay(DURATION_MS));
  await startFault?.();
  const attackers = fork(ATTACKERS, [JSON.stringify({ attack, origin, card, owner })]);
  await once(attackers, 'message');
  const { card: during } = await timeRequests(requests, delay(DURATION_MS));
  attackers.send('end');
  const [count] = await once(attackers, 'message');
  attackers.kill('SIGKILL');
  send.close();
  return { before, during, rate: (count * 1000) / DURATION_MS };
}

async function openService(setup) {
  const service = await setup.startService({ cores: '0,1' });
  return {
    service,
    card: `/user/${setup.ids[0]}`,
    owner: setup.owners[1],
    close: () => service.stop('SIGKILL'),
  };
}

/** Opens a service whose bucket accepts connections and never responds. */
async function openHangingStore(setup) {
  const sockets = new Set();
  const store = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise((resolve) => store.listen(0, '127.0.0.1', resolve));
  const env = {
    S3_BUCKET: 'cards',
    S3_ENDPOINT: `http://127.0.0.1:${store.address().port}`,
    S3_ACCESS_KEY_ID: 'bench',
    S3_SECRET_ACCESS_KEY: 'bench-secret',
  };
  const service = await setup.startService({ env, cores: '0,1' });
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    store.close();
    await service.stop('SIGKILL');
  };
  return { service, card: `/user/${setup.ids[0]}`, owner: setup.owners[2], close };
}
