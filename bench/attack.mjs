// What a card from memory takes while one hostile visitor or one broken part stops others.
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

/** Opens the service for each attack; null if that is not possible on this machine. */
const OPENERS = {
  names: openService,
  guesses: openService,
  previews: openService,
  store: openHangingStore,
  lock: openLockedRow,
};

/** Measures cards without and during each attack; returns the figures of all. */
export async function measureAttacks(rig) {
  const figures = {};
  for (const [attack, open] of Object.entries(OPENERS)) {
    const opened = await open(rig);
    if (opened === null) continue;
    const { quiet, busy, rate } = await timeAttack(opened, attack);
    for (const [state, { p50, p99 }] of Object.entries({ quiet, busy })) {
      figures[`${attack}-${state}-p50`] = p50;
      figures[`${attack}-${state}-p99`] = p99;
    }
    figures[`${attack}-rate`] = rate;
    await opened.close();
  }
  return figures;
}

/** Times a card on a service, then again during the attack; counts the attack's replies. */
async function timeAttack({ service, card, owner, begin }, attack) {
  const { origin } = service;
  const send = createClient(origin);
  const requests = { card: (count) => send(card, { headers: fromAddress(count) }) };
  await timeRequests(requests, delay(WARM_UP_MS));
  const { card: quiet } = await timeRequests(requests, delay(DURATION_MS));
  await begin?.();
  const attackers = fork(ATTACKERS, [JSON.stringify({ attack, origin, card, owner })]);
  await once(attackers, 'message');
  const { card: busy } = await timeRequests(requests, delay(DURATION_MS));
  attackers.send('end');
  const [count] = await once(attackers, 'message');
  attackers.kill('SIGKILL');
  send.close();
  return { quiet, busy, rate: (count * 1000) / DURATION_MS };
}

async function openService(rig) {
  const service = await rig.startService({ cores: '0,1' });
  return {
    service,
    card: `/user/${rig.ids[0]}`,
    owner: rig.owners[1],
    close: () => service.stop('SIGKILL'),
  };
}

/** A bucket that accepts connections and never answers. */
async function openHangingStore(rig) {
  const sockets = new Set();
  const store = createServer((socket) => sockets.add(socket.on('error', () => undefined)));
  await new Promise((resolve) => store.listen(0, '127.0.0.1', resolve));
  const env = {
    S3_BUCKET: 'cards',
    S3_ENDPOINT: `http://127.0.0.1:${store.address().port}`,
    S3_ACCESS_KEY_ID: 'bench',
    S3_SECRET_ACCESS_KEY: 'bench-secret',
  };
  const service = await rig.startService({ env, cores: '0,1' });
  const close = async () => {
    for (const socket of sockets) socket.destroy();
    store.close();
    await service.stop('SIGKILL');
  };
  return { service, card: `/user/${rig.ids[0]}`, owner: rig.owners[2], close };
}
