// A service on PostgreSQL, and a row that another application has locked.
import { existsSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';
import { runnerImport } from 'vite';

import { ROOT } from '../scripts/ready.mjs';
import { createOwners } from './seed.mjs';

const PROGRAM = '/usr/lib/postgresql/15/bin/initdb';

/** Opens a service whose first owner's row is locked from `begin` on; null if there is no PostgreSQL. */
export async function openLockedRow(rig) {
  if (!existsSync(PROGRAM)) return null;
  const { module } = await runnerImport(join(ROOT, 'tests/support/postgres.ts'));
  const cluster = await module.startCluster();
  const env = { DATABASE_URL: cluster.url };
  const service = await rig.startService({ from: null, env, cores: '0,1' });
  const { owners } = await createOwners(service, 2);
  const [owner, free] = owners;
  const other = new Client({ connectionString: cluster.url });
  await other.connect();
  return {
    service,
    card: `/user/${free.id}`,
    owner,
    begin: async () => {
      await other.query('BEGIN');
      await other.query('SELECT * FROM users WHERE id = $1 FOR UPDATE', [owner.id]);
    },
    close: async () => {
      await other.end();
      await service.stop('SIGKILL');
      cluster.stop();
    },
  };
}
