// The processor time of a card: from memory, rendered in each encoding, and in Zipf order.
import { createClient, forEach } from './client.mjs';

const CONNECTIONS = 16;
const HOT_REQUESTS = 20_000;
/** The cache has room for them, and each is requested once. */
const MISSES = 800;
const TAIL_CARDS = 20_000;
const TAIL_FIRST = 20_000;
const TAIL_REQUESTS = 60_000;

const pathsOf = (ids) => ids.map((id) => `/user/${id}`);

/** Returns the service's processor time for each request in milliseconds, all threads together. */
async function cpuMsEach({ service, send, paths, encoding }) {
  const before = service.cpuMs();
  await forEach(paths, CONNECTIONS, (path) => send(path, { encoding }));
  return (service.cpuMs() - before) / paths.length;
}

/** Runs `work` on a fresh service. */
async function withService(setup, work) {
  const service = await setup.start();
  const send = createClient(service.origin, CONNECTIONS);
  const figures = await work({ service, send });
  send.close();
  await service.stop();
  return figures;
}

export function measureHotCard(setup) {
  const paths = Array.from({ length: HOT_REQUESTS }, () => pathsOf(setup.idsFrom(1, 1))[0]);
  return withService(setup, async (context) => {
    // For a compiled path.
    await cpuMsEach({ ...context, paths });
    return { 'a hot card: CPU ms': await cpuMsEach({ ...context, paths }) };
  });
}

export function measureMisses(setup) {
  return withService(setup, async (context) => {
    const figures = {};
    let first = 1;
    const requestNew = async (encoding) => {
      const paths = pathsOf(setup.idsFrom(first, MISSES));
      first += MISSES;
      return cpuMsEach({ ...context, paths, encoding });
    };
    for (const encoding of ['br', 'gzip', 'identity']) await requestNew(encoding);
    for (const encoding of ['br', 'gzip', 'identity'])
      figures[`a miss, ${encoding}: CPU ms`] = await requestNew(encoding);
    return figures;
  });
}

export function measureTail(setup) {
  const paths = pathsOf(zipfOrder(setup.idsFrom(1, TAIL_CARDS), TAIL_REQUESTS));
  return withService(setup, async (context) => {
    const first = await cpuMsEach({ ...context, paths: paths.slice(0, TAIL_FIRST) });
    const rest = await cpuMsEach({ ...context, paths: paths.slice(TAIL_FIRST) });
    return {
      'Zipf, the first 20,000 requests: CPU ms': first,
      'Zipf, the other 40,000: CPU ms': rest,
      'Zipf: resident MB at the end': context.service.memoryMb(),
    };
  });
}

/** Returns `length` ids; the id at rank n has a weight of 1 / n. Each run has the same order. */
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
