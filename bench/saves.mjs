// Measures saves: CPU time, rate on a slow disk, and the latency of reads during them.
import { setTimeout as delay } from 'node:timers/promises';

import { NETWORKS, createClient, fromAddress, timeRequests } from './client.mjs';
import { median } from './percentile.mjs';
import { cpuMs } from './process.mjs';
import { slowDiskEnvironment } from './slow-disk.mjs';
import { loadWrites } from './wrk.mjs';

const ROUNDS = 5;
const SECONDS = 2;
const SLOW_SECONDS = 6;

/** The saves of all owners, each of its own card. */
export function saveRequests({ owners }) {
  return owners.map(({ id, token }) => ({
    path: `/api/user/updateUser/${id}`,
    token,
    body: JSON.stringify({ name: 'Asha Rao @@', bio: 'Houses that keep cool. '.repeat(10) }),
  }));
}

/** Returns the CPU time of a save in ms, all threads of the service, on this machine's disk. */
export async function measureSaveCpu(setup) {
  const service = await setup.startService();
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = cpuMs(service.pid);
    const options = { folder: setup.folder, requests: saveRequests(setup), seconds: SECONDS };
    const { count, rate, errors } = await loadWrites(service.origin, options);
    if (errors > 0) throw new Error(`Saves: ${errors} errors`);
    rounds.push({ ms: (cpuMs(service.pid) - before) / count, rate });
  }
  await service.stop();
  const pick = (key) => median(rounds.map((round) => round[key]));
  return { 'save-cpu': pick('ms'), 'save-rate': pick('rate') };
}

/** Returns the saves a second of 32 owners with an fsync of 5 ms more, and the latency of reads. */
export async function measureSlowDisk(setup) {
  const service = await setup.startService({
    env: slowDiskEnvironment(setup.folder),
    cores: '0,1',
  });
  const send = createClient(service.origin);
  const requests = readRequests(send, setup.ids);
  await timeRequests(requests, delay(1000));
  const idle = await timeRequests(requests, delay(SLOW_SECONDS * 1000));
  const load = loadWrites(service.origin, {
    folder: setup.folder,
    requests: saveRequests(setup),
    seconds: SLOW_SECONDS,
  });
  const loaded = await timeRequests(requests, load);
  const { rate, errors, p50, p99 } = await load;
  if (errors > 0) throw new Error(`Saves: ${errors} errors`);
  send.close();
  await service.stop();
  return {
    'slow-save-rate': rate,
    'slow-save-p50': p50,
    'slow-save-p99': p99,
    'slow-idle-card-p50': idle.card.p50,
    'slow-idle-card-p99': idle.card.p99,
    'slow-card-p50': loaded.card.p50,
    'slow-card-p99': loaded.card.p99,
    'slow-card-ratio': loaded.card.p99 / idle.card.p99,
    'slow-profile-p99': loaded.profile.p99,
    'slow-miss-p99': loaded.miss.p99,
  };
}

/** A cached card, a profile, and a card that is rendered because its host is new. */
function readRequests(send, ids) {
  let hosts = 0;
  return {
    card: (count) => send(`/user/${ids[0]}`, { headers: fromAddress(count) }),
    profile: (count) =>
      send(`/api/user/${ids[1]}`, { headers: fromAddress(count, NETWORKS.profiles) }),
    miss: (count) => {
      hosts += 1;
      const host = `slow-${hosts}.example`;
      const address = fromAddress(count, NETWORKS.slowMisses);
      const headers = { host, 'accept-encoding': 'br', ...address };
      return send(`/user/${ids[2]}`, { headers });
    },
  };
}
