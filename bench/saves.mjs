// 32 owners save as fast as they can on a disk whose fsync takes 5 ms more, while others read.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { timed, withService } from './client.mjs';
import { percentile } from './numbers.mjs';

const LOAD_MS = 6000;
const PAUSE_MS = 2;
/** The cards before this one belong to the saving owners. */
const FIRST_MISS = 1000;

export function measureSaves(setup) {
  const env = { LD_PRELOAD: slowFsync(setup.folder) };
  const connections = setup.owners.length + 2;
  return withService(setup, { connections, env, cores: '0,1' }, async ({ send }) => {
    const misses = setup.idsFrom(FIRST_MISS, 10_000).values();
    await readFor(1000, { send, setup, misses });
    const idle = await readFor(LOAD_MS, { send, setup, misses });
    const saving = setup.owners.map((owner) => saveFor(LOAD_MS, { send, owner }));
    const loaded = await readFor(LOAD_MS, { send, setup, misses });
    const saves = (await Promise.all(saving)).flat();
    return {
      'slow disk: saves a second': saves.length / (LOAD_MS / 1000),
      'slow disk: a save, p50 ms': percentile(saves, 0.5),
      'slow disk: a save, p99 ms': percentile(saves, 0.99),
      'slow disk: a hot card without saves, p99 ms': percentile(idle.hits, 0.99),
      'slow disk: a hot card meanwhile, p99 ms': percentile(loaded.hits, 0.99),
      'slow disk: a miss meanwhile, p99 ms': percentile(loaded.misses, 0.99),
    };
  });
}

async function saveFor(ms, { send, owner: { id, token } }) {
  const durations = [];
  for (const end = performance.now() + ms; performance.now() < end;) {
    const body = JSON.stringify({ name: `Asha Rao ${durations.length}` });
    durations.push(await timed(() => send(`/api/user/updateUser/${id}`, { token, body })));
  }
  return durations;
}

/** Reads a hot card and a card that is not cached, in turn. Returns the durations. */
async function readFor(ms, { send, setup, misses }) {
  const durations = { hits: [], misses: [] };
  const [hot] = setup.idsFrom(FIRST_MISS - 1, 1);
  for (const end = performance.now() + ms; performance.now() < end; await delay(PAUSE_MS)) {
    durations.hits.push(await timed(() => send(`/user/${hot}`)));
    const { value: miss } = misses.next();
    durations.misses.push(await timed(() => send(`/user/${miss}`)));
  }
  return durations;
}

/** Compiles a library whose fsync takes 5 ms longer. Returns its path. */
function slowFsync(folder) {
  const library = join(folder, 'slow-fsync.so');
  const source = join(import.meta.dirname, 'slow-fsync.c');
  if (!existsSync(library))
    execFileSync('cc', ['-shared', '-fPIC', '-O2', '-o', library, source, '-ldl']);
  return library;
}
