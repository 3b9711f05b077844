// The cost of counting: the CPU time of the service for a counted visit, its part of the writes
// included. Visits follow each other without pauses, as requests do in the other parts.
import { setTimeout as delay } from 'node:timers/promises';

import { NETWORKS, createClient, fromAddress } from './client.mjs';
import { median } from './percentile.mjs';
import { cpuMs } from './process.mjs';

/** The first one is the warm-up. */
const ROUNDS = 4;
/** A write of the counts of 100 visits a second has so many. */
const VISITS_PER_WRITE = 500;
const WRITES_PER_ROUND = 2;
/** More than the 5 s between two writes. */
const WRITE_MS = 5500;
const CONNECTIONS = 16;
const AGENT =
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';

/** Returns the CPU time of a visit in ms, and of 100 visits a second as a part of one core. */
export async function measureAnalytics(setup) {
  const service = await setup.startService({ env: { VIEWS: 'analytics' } });
  const send = createClient(service.origin, { connections: CONNECTIONS });
  let count = 0;
  const visit = async () => {
    const headers = { 'user-agent': AGENT, ...fromAddress(count, NETWORKS.visitors) };
    const path = `/api/profile/countVisit/${setup.ids[count % setup.ids.length]}/Open`;
    count += 1;
    const { status } = await send(path, { body: Buffer.alloc(0), headers });
    if (status !== 200) throw new Error(`${path}: ${status}`);
  };
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = cpuMs(service.pid);
    for (let write = 0; write < WRITES_PER_ROUND; write += 1) {
      await Promise.all(Array.from({ length: VISITS_PER_WRITE }, visit));
      await delay(WRITE_MS);
    }
    rounds.push((cpuMs(service.pid) - before) / (VISITS_PER_WRITE * WRITES_PER_ROUND));
  }
  send.close();
  await service.stop();
  const visitMs = median(rounds.slice(1));
  return { 'visit-cpu': visitMs, 'visits-cpu': (100 * visitMs) / 1000 };
}
