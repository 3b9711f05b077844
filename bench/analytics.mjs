// The cost of counting: the CPU time of the service for a counted visit, its part of the writes
// included. Visits follow each other without pauses, as requests do in the other parts. Each is of a new
// visitor to another card than the one before, so it costs the most: a hash and two counts are
// written for it.
import { setTimeout as delay } from 'node:timers/promises';

import { NETWORKS, createClient, fromAddress } from './client.mjs';
import { median } from './percentile.mjs';
import { cpuMs } from './process.mjs';

const ROUNDS = 5;
/** Two minutes of 100 visits a second: the service has compiled the code that it runs often. */
const WARM_UP_VISITS = 12_000;
/** The visits in one write at 100 visits a second. */
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
  const sendVisits = () => Promise.all(Array.from({ length: VISITS_PER_WRITE }, visit));
  for (let sent = 0; sent < WARM_UP_VISITS; sent += VISITS_PER_WRITE) await sendVisits();
  await delay(WRITE_MS);
  const rounds = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = cpuMs(service.pid);
    for (let write = 0; write < WRITES_PER_ROUND; write += 1) {
      await sendVisits();
      await delay(WRITE_MS);
    }
    rounds.push((cpuMs(service.pid) - before) / (VISITS_PER_WRITE * WRITES_PER_ROUND));
  }
  send.close();
  await service.stop();
  const visitMs = median(rounds);
  return { 'visit-cpu': visitMs, 'visits-cpu': (100 * visitMs) / 1000 };
}
