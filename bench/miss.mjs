// The CPU time of a card that is not cached: reading, rendering and compressing it.
import { NETWORKS, createClient, fromAddress } from './client.mjs';
import { median } from './percentile.mjs';
import { cpuMs } from './process.mjs';

const ROUNDS = 5;
/** The cache can hold this many cards, so the second request for each is a hit. */
const CARDS_MAX = 250;
const CONNECTIONS = 4;

/**
 * Requests cards under a new host, so that each is rendered, and then again from the cache. Returns
 * the medians of the service's CPU time per card in milliseconds.
 */
export async function measureMisses(setup) {
  const service = await setup.startService();
  const send = createClient(service.origin, { connections: CONNECTIONS });
  const ids = setup.ids.slice(0, CARDS_MAX);
  const cpuMsPerCard = async (host) => {
    const before = cpuMs(service.pid);
    await Promise.all(ids.map((id, index) => requestCard(send, { id, host, index })));
    return (cpuMs(service.pid) - before) / ids.length;
  };
  const rounds = [];
  for (let round = 0; round < 2 * ROUNDS; round += 1) {
    const host = `host-${round}.example`;
    rounds.push({ miss: await cpuMsPerCard(host), hit: await cpuMsPerCard(host) });
  }
  send.close();
  await service.stop();
  // The first half of the rounds is the warm-up.
  const pick = (key) => median(rounds.slice(ROUNDS).map((round) => round[key]));
  return { 'miss-cpu': pick('miss'), 'hit-cpu': pick('hit') };
}

async function requestCard(send, { id, host, index }) {
  const headers = { host, 'accept-encoding': 'br', ...fromAddress(index, NETWORKS.misses) };
  const { status } = await send(`/user/${id}`, { headers });
  if (status !== 200) throw new Error(`${id}: ${status}`);
}
