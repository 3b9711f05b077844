// The resident memory of the service after 100,000 distinct cards were requested.
import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { createClient, fromAddress } from './client.mjs';
import { memoryMb } from './process.mjs';
import { copyCard } from './seed.mjs';

const CARDS = 100_000;
const CONNECTIONS = 16;

export async function measureMemory(rig) {
  const data = join(rig.folder, 'many-cards');
  cpSync(rig.dataDir, data, { recursive: true });
  const ids = copyCard(data, { id: rig.owners[0].id, count: CARDS, prefix: 'Many' });
  const service = await rig.startService({ from: data });
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
      const at = next;
      next += 1;
      const headers = { 'accept-encoding': 'br', ...fromAddress(at, '172.23') };
      const { status } = await send(`/user/${ids[at]}`, { headers });
      if (status !== 200) throw new Error(`${ids[at]}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, visit));
  send.close();
}
