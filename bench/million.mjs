// A million cards in SQLite: the start, and cards that nobody has asked for.
import { createClient, timed } from './client.mjs';
import { percentile } from './percentile.mjs';

const CARDS = 1_000_000;
const REQUESTS = 2000;
/** So far apart that no two are in one page of the database. */
const STEP = 487;

export async function measureMillion(setup) {
  const dataDir = await setup.fill(CARDS);
  const service = await setup.start({ dataDir });
  const send = createClient(service.origin, 1);
  const durations = [];
  for (let count = 0; count < REQUESTS; count += 1) {
    const [id] = setup.idsFrom(1 + ((count * STEP) % CARDS), 1);
    durations.push(await timed(() => send(`/user/${id}`)));
  }
  const memory = service.memoryMb();
  send.close();
  await service.stop();
  return {
    'a million: start, ms': service.startMs,
    'a million: a miss, p50 ms': percentile(durations, 0.5),
    'a million: a miss, p99 ms': percentile(durations, 0.99),
    'a million: resident MB': memory,
  };
}
