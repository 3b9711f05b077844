import { existsSync } from 'node:fs';

import { crashRepeatedly, runInGroups } from '#tests/support/crash.ts';
import { testOnPostgres } from '#tests/support/database.ts';
import { readNumber } from '#tests/support/environment-number.ts';
import { waitUntil } from '#tests/support/polling.ts';
import { startCluster } from '#tests/support/postgres.ts';
import { startServer } from '#tests/support/server.ts';

const CRASHES = readNumber('HARDENING_POSTGRES_CRASHES', 1000);

// tests/crash.test.ts kills the server.
testOnPostgres('kill -9 of PostgreSQL: loses no acknowledged write, and reconnects', async () => {
  await runInGroups(CRASHES, async (rounds) => {
    const cluster = await startCluster();
    const server = await startServer({ DATABASE_URL: cluster.url, TRUST_PROXY: '127.0.0.1' });
    const crash = async () => {
      const processes = cluster.processes();
      for (const pid of processes) process.kill(pid, 'SIGKILL');
      await waitUntil(() => !processes.some((pid) => existsSync(`/proc/${pid}`)));
      cluster.resume();
      await waitUntil(async () => {
        const response = await fetch(`${server.origin}/readyz`).catch(() => null);
        return response?.status === 200;
      });
    };
    try {
      await crashRepeatedly({ server: () => server, crash }, rounds);
    } finally {
      await server.dispose();
      cluster.stop();
    }
  });
});
