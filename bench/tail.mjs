// Cards in Zipf order: a few that are asked for all day, and a long tail of cards that nobody has asked for.
import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { NETWORKS, createClient, fromAddress } from './client.mjs';
import { childrenCpuMs, cpuMs, memoryMb } from './process.mjs';
import { copyCard } from './seed.mjs';

const CARDS = 20_000;
const CONNECTIONS = 16;
/** Enough to fill the cache. */
const WARM_UP = 40_000;
const REQUESTS = 40_000;
const TOKEN = 'bench-metrics-token';

export async function measureTail(setup) {
  const data = join(setup.folder, 'tail-cards');
  cpSync(setup.dataDir, data, { recursive: true });
  const ids = copyCard(data, { id: setup.owners[1].id, count: CARDS, prefix: 'Zipf' });
  const service = await setup.startService({ from: data, env: { METRICS_TOKEN: TOKEN } });
  const paths = zipfOrder(ids, WARM_UP + REQUESTS).map((id) => `/user/${id}`);
  const send = createClient(service.origin, { connections: CONNECTIONS });
  await requestAll(send, paths.slice(0, WARM_UP));
  const before = await state(service, send);
  await requestAll(send, paths.slice(WARM_UP));
  const after = await state(service, send);
  send.close();
  await service.stop();
  const difference = (key) => after[key] - before[key];
  const hits = difference('hit');
  return {
    'tail-cpu': difference('cpu') / REQUESTS,
    'tail-hits': (100 * hits) / (hits + difference('miss')),
    'tail-memory': after.memory,
  };
}

async function state({ pid }, send) {
  const memory = memoryMb(pid);
  const { text } = await send('/metrics', { headers: { authorization: `Bearer ${TOKEN}` } });
  const count = (cache) =>
    Number(new RegExp(`^tessera_card_pages_total{.*cache="${cache}".*} (\\d+)`, 'm').exec(text)[1]);
  const cpu = cpuMs(pid) + childrenCpuMs(pid);
  return { memory, cpu, hit: count('hit'), miss: count('miss') };
}

/** Returns `length` ids; the id at rank n is chosen with a weight of 1 / n. Each run has the same order. */
function zipfOrder(ids, length) {
  let sum = 0;
  const sums = ids.map((_, index) => (sum += 1 / (index + 1)));
  let seed = 1;
  return Array.from({ length }, () => {
    // The generator of Park and Miller.
    seed = (seed * 48_271) % 2_147_483_647;
    const target = (seed / 2_147_483_647) * sum;
    let [low, high] = [0, sums.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle] < target) low = middle + 1;
      else high = middle;
    }
    return ids[low];
  });
}

async function requestAll(send, paths) {
  let next = 0;
  const visit = async () => {
    while (next < paths.length) {
      const index = next;
      next += 1;
      const headers = { 'accept-encoding': 'br', ...fromAddress(index, NETWORKS.tail) };
      const { status } = await send(paths[index], { headers });
      if (status !== 200) throw new Error(`${paths[index]}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visit));
}
