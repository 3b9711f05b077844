// What every measurement uses: a folder, the data, and servers on copies of it.
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '#scripts/ready.mjs';
import { killAll, startNode } from './process.mjs';
import { copyCard, createOwners } from './seed.mjs';

const CARDS = 1000;
const ENVIRONMENT = {
  PORT: '0',
  HOST: '127.0.0.1',
  NODE_ENV: 'production',
  SMS_GATEWAY: 'console',
  LOG_LEVEL: 'error',
  TRUST_PROXY: '127.0.0.1',
};

/** Creates the data. `dist` is the folder of the measured build. */
export async function createSetup(dist = join(ROOT, 'dist')) {
  const folder = mkdtempSync(join(tmpdir(), 'tessera-bench-'));
  const dataDir = join(folder, 'data');
  let copies = 0;

  /** Starts the service on a copy of the data, on the first core unless `cores` is given. */
  const startService = ({ env = {}, cores, from = dataDir } = {}) => {
    copies += 1;
    const copy = join(folder, `data-${copies}`);
    if (from !== null) cpSync(from, copy, { recursive: true });
    return startNode(['--enable-source-maps', join(dist, 'server', 'main.js')], {
      env: { ...ENVIRONMENT, DATA_DIR: copy, ...env },
      folder,
      ...(cores === undefined ? {} : { cores }),
    });
  };

  const first = await startService({ from: null, env: { DATA_DIR: dataDir } });
  const { owners, photo } = await createOwners(first);
  await first.stop();
  const ids = copyCard(dataDir, { id: owners[0].id, count: CARDS, prefix: 'Bench' });
  return {
    folder,
    dataDir,
    owners,
    photo,
    /** The ids of 1,000 cards; nobody is signed in to them. */
    ids,
    startService,
    dispose: () => {
      killAll();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
