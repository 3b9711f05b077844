// Saves: their CPU time, their number on a slow disk, and what others wait meanwhile.
import { setTimeout as delay } from 'node:timers/promises';

import { createClient, fromAddress, timeRequests } from './client.mjs';
import { median } from './median.mjs';
import { cpuMs } from './process.mjs';
import { slowDisk } from './slow-disk.mjs';
import { loadWrites } from './wrk.mjs';

const ROUNDS = 5;
const SECONDS = 2;
const SLOW_SECONDS = 6;

/** The saves of all owners, each of its own card. */
export function savesOf({ owners }) {
  return owners.map(({ id, token }) => ({
    path: `/api/user/updateUser/${id}`,
    token,
    body: JSON.stringify({ name: 'Asha Rao @@', bio: 'Houses that keep cool. '.repeat(10) }),
  }));
}

/** Returns the CPU time of a save in ms, all threads of the service, on this machine's disk. */
export async function measureSaveCpu(rig) {
  const service = await rig.startService();
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = cpuMs(service.pid);
    const options = { folder: rig.folder, requests: savesOf(rig), seconds: SECONDS };
    const { count, rate, errors } = await loadWrites(service.origin, options);
    if (errors > 0) throw new Error(`Saves: ${errors} errors`);
    rounds.push({ ms: (cpuMs(service.pid) - before) / count, rate });
  }
  await service.stop();
  const pick = (key) => median(rounds.map((round) => round[key]));
  return { 'save-cpu': pick('ms'), 'save-rate': pick('rate') };
}

/** Returns the saves a second of 32 owners with an fsync of 5 ms more, and what readers wait. */
export async function measureSlowDisk(rig) {
  const service = await rig.startService({ env: slowDisk(rig.folder), cores: '0,1' });
  const send = createClient(service.origin);
  const requests = readers(send, rig.ids);
  await timeRequests(requests, delay(1000));
  const quiet = await timeRequests(requests, delay(SLOW_SECONDS * 1000));
  const load = loadWrites(service.origin, {
    folder: rig.folder,
    requests: savesOf(rig),
    seconds: SLOW_SECONDS,
  });
  const busy = await timeRequests(requests, load);
  const { rate, errors, p50, p99 } = await load;
  if (errors > 0) throw new Error(`Saves: ${errors} errors`);
  send.close();
  await service.stop();
  return {
    'slow-save-rate': rate,
    'slow-save-p50': p50,
    'slow-save-p99': p99,
    'slow-quiet-card-p50': quiet.card.p50,
    'slow-quiet-card-p99': quiet.card.p99,
    'slow-card-p50': busy.card.p50,
    'slow-card-p99': busy.card.p99,
    'slow-card-ratio': busy.card.p99 / quiet.card.p99,
    'slow-profile-p99': busy.profile.p99,
    'slow-miss-p99': busy.miss.p99,
  };
}

/** A card in memory, a profile, and a card that is rendered because its host is new. */
function readers(send, ids) {
  let hosts = 0;
  return {
    card: (count) => send(`/user/${ids[0]}`, { headers: fromAddress(count) }),
    profile: (count) => send(`/api/user/${ids[1]}`, { headers: fromAddress(count, '172.19') }),
    miss: (count) => {
      hosts += 1;
      const headers = { host: `slow-${hosts}.example`, 'accept-encoding': 'br' };
      return send(`/user/${ids[2]}`, { headers: { ...headers, ...fromAddress(count, '172.20') } });
    },
  };
}
