import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { Victim } from './crash.ts';
import { startServer } from './server.ts';

/** The built service on a data folder of its own, to be killed. */
export async function startVictim(environment: Record<string, string> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'tessera-crash-'));
  const start = () => startServer({ DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1', ...environment });
  let server = await start();
  const victim: Victim & { dispose: () => Promise<void> } = {
    server: () => server,
    crash: async () => {
      await server.stop('SIGKILL');
      server = await start();
    },
    dispose: async () => {
      await server.stop('SIGKILL');
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  return victim;
}
