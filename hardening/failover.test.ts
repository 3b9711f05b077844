import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { readNumber } from '#tests/support/environment-number.ts';
import { PROGRAMS, startFailoverCluster } from '#tests/support/failover-cluster.ts';
import { startLoad } from '#tests/support/load.ts';
import { createOwner, sendRequest } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { print } from '#tests/support/print.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

const ROUNDS = readNumber('HARDENING_FAILOVERS', 10);
const LOAD_MS = 1500;
/** The longest time from the kill of the primary to the next acknowledged save. */
const RECOVERY_MS_MAX = 10_000;
const PROBE_MS = 50;
const FIRST_PHONE = 9_876_500_000;

async function recoveryMs(node: RunningServer, owner: Owner): Promise<number> {
  const startedAt = performance.now();
  const call = { body: { name: 'After' }, token: owner.sessionToken };
  for (;;) {
    const isSaved = await sendRequest(node, `/user/updateUser/${owner._id}`, call).then(
      () => true,
      () => false,
    );
    if (isSaved) return Math.round(performance.now() - startedAt);
    await pause(PROBE_MS);
  }
}

describe.skipIf(!PROGRAMS.every((path) => existsSync(path)))('failover of PostgreSQL', () => {
  let cluster: Awaited<ReturnType<typeof startFailoverCluster>>;
  let nodes: RunningServer[];

  beforeAll(async () => {
    cluster = await startFailoverCluster();
    // One node for each pool mode of PgBouncer.
    nodes = await Promise.all(
      (['session', 'transaction'] as const).map((mode) =>
        startServer({ DATABASE_URL: cluster.url(mode), TRUST_PROXY: '127.0.0.1' }),
      ),
    );
  });
  afterAll(async () => {
    await Promise.all(nodes.map((node) => node.dispose()));
    await cluster.stop();
  });

  /** Kills the primary under load, waits for the next saves, and checks what was acknowledged. */
  async function killPrimary(round: number): Promise<number> {
    await cluster.waitForStandby();
    let phone = FIRST_PHONE + 10 * round;
    const load = await Promise.all(
      nodes.map(async (node) => {
        phone += 2;
        const [owner, probe] = [String(phone), String(phone + 1)];
        const started = startLoad(node.origin, [await createOwner(node, owner)]);
        return { node, probe: await createOwner(node, probe), ...started };
      }),
    );
    await pause(LOAD_MS);
    const isWithPatroni = round % 2 === 1;
    const killed = await cluster.killPrimary(isWithPatroni);
    const recoveries = await Promise.all(load.map(({ node, probe }) => recoveryMs(node, probe)));
    await pause(LOAD_MS);
    await Promise.all(load.map(({ stop }) => stop()));
    if (isWithPatroni) cluster.restartPatroni();

    const failures = load.flatMap((part) => part.failures);
    expect(failures.filter(({ reason }) => !reason.startsWith('503'))).toEqual([]);
    for (const { findLosses, findUnexpected } of load) {
      expect(await findLosses()).toEqual([]);
      expect(await findUnexpected()).toEqual([]);
    }
    const unknown = failures.filter(({ reason }) => reason.includes('not known')).length;
    print(
      `${round + 1}: ${killed} killed${isWithPatroni ? ' with its Patroni' : ''}; next save after ` +
        `${recoveries.join(' and ')} ms (session and transaction pool); ${failures.length} calls ` +
        `failed, ${unknown} of them with an unknown result`,
    );
    return Math.max(...recoveries);
  }

  test('failover: loses no acknowledged write and recovers without a restart', async () => {
    let longestMs = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      longestMs = Math.max(longestMs, await killPrimary(round));
    }
    print(`${ROUNDS} failovers; the longest took ${longestMs} ms`);
    expect(longestMs).toBeLessThan(RECOVERY_MS_MAX);
  });
});
