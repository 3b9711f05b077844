// The processor time of a card: from memory, rendered in each encoding, and in Zipf order.
import { forEach, withService } from './client.mjs';
import { createZipf } from './numbers.mjs';

const CONNECTIONS = 16;
const OPTIONS = { connections: CONNECTIONS };
const HOT_REQUESTS = 20_000;
/** The cache has room for all of them, and each card is requested once. */
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

export function measureHotCard(setup) {
  const paths = Array.from({ length: HOT_REQUESTS }, () => pathsOf(setup.idsFrom(1, 1))[0]);
  return withService(setup, OPTIONS, async (context) => {
    // The first requests let the engine compile the path.
    await cpuMsEach({ ...context, paths });
    return { 'a hot card: CPU ms': await cpuMsEach({ ...context, paths }) };
  });
}

export function measureMisses(setup) {
  return withService(setup, OPTIONS, async (context) => {
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
  const rank = createZipf(TAIL_CARDS);
  const paths = Array.from({ length: TAIL_REQUESTS }, () => `/user/${setup.idOf(rank())}`);
  return withService(setup, OPTIONS, async (context) => {
    const first = await cpuMsEach({ ...context, paths: paths.slice(0, TAIL_FIRST) });
    const rest = await cpuMsEach({ ...context, paths: paths.slice(TAIL_FIRST) });
    return {
      'Zipf, the first 20,000 requests: CPU ms': first,
      'Zipf, the other 40,000: CPU ms': rest,
      'Zipf: resident MB at the end': context.service.memoryMb(),
    };
  });
}
