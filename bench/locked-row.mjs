// A service on PostgreSQL, and a row that another application has locked.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';
import { runnerImport } from 'vite';

import { INITDB } from '#scripts/programs.mjs';
import { ROOT } from '#scripts/ready.mjs';
import { createOwners } from './seed.mjs';

/** Opens a service whose first owner's row is locked by `startFault`; null if there is no PostgreSQL. */
export async function openLockedRow(setup) {
  if (!existsSync(INITDB)) return null;
  const { module } = await runnerImport(join(ROOT, 'tests/support/postgres.ts'));
  const cluster = await module.startCluster();
  const env = { DATABASE_URL: cluster.url };
  const service = await setup.startService({ from: null, env, cores: '0,1' });
  const { owners } = await createOwners(service, 2);
  const [lockedOwner, unlockedOwner] = owners;
  const lockingClient = new Client({ connectionString: cluster.url });
  await lockingClient.connect();
  return {
    service,
    card: `/user/${unlockedOwner.id}`,
    owner: lockedOwner,
    startFault: async () => {
      await lockingClient.query('BEGIN');
      await lockingClient.query('SELECT * FROM users WHERE id = $1 FOR UPDATE', [lockedOwner.id]);
    },
    close: async () => {
      await lockingClient.end();
      await service.stop('SIGKILL');
      cluster.stop();
    },
  };
}
