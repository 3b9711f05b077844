// The resident memory of the service after 100,000 distinct cards were requested.
import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { NETWORKS, createClient, fromAddress } from './client.mjs';
import { memoryMb } from './process.mjs';
import { copyCard } from './seed.mjs';

const CARDS = 100_000;
const CONNECTIONS = 16;

export async function measureMemory(setup) {
  const data = join(setup.folder, 'many-cards');
  cpSync(setup.dataDir, data, { recursive: true });
  const ids = copyCard(data, { id: setup.owners[0].id, count: CARDS, prefix: 'Many' });
  const service = await setup.startService({ from: data });
  const before = memoryMb(service.pid);
  const half = CARDS / 2;
  await requestAll(service, { ids, from: 0, until: half });
  const middle = memoryMb(service.pid);
  await requestAll(service, { ids, from: half, until: CARDS });
  const after = memoryMb(service.pid);
  await service.stop();
  return { 'memory-start': before, 'memory-half': middle, 'memory-all': after };
}

async function requestAll({ origin }, { ids, from, until }) {
  const send = createClient(origin, { connections: CONNECTIONS });
  let next = from;
  const visit = async () => {
    while (next < until) {
      const index = next;
      next += 1;
      const headers = { 'accept-encoding': 'br', ...fromAddress(index, NETWORKS.memory) };
      const { status } = await send(`/user/${ids[index]}`, { headers });
      if (status !== 200) throw new Error(`${ids[index]}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visit));
  send.close();
}
