import { setTimeout as pause } from 'node:timers/promises';

import { describe, expect, onTestFinished, test, vi } from 'vitest';

import { newFolder } from '#tests/support/folder.ts';
import { startLoad } from '#tests/support/load.ts';
import { createOwner, postPhoto, sendRequest } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { twoHalves } from '#tests/support/picture.ts';
import { freePort } from '#tests/support/port.ts';
import { administer, startCluster } from '#tests/support/postgres.ts';
import { print } from '#tests/support/print.ts';
import { hasS3Server, startS3Server } from '#tests/support/s3-server.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';
import { ADDRESS, SITE_PROXIES } from '#tests/support/site-proxy.ts';

// Two nodes with PostgreSQL and a bucket behind a shipped proxy file, while their visitors read, save and connect.

const PHASE_MS = 60_000;
/** With two owners this makes up to 200 requests a second. */
const LOAD_PAUSE_MS = 25;
const STALE_MS_MAX = 1000;
const WAIT = { timeout: 30_000, interval: 500 };

/** Saves on one node until the end of a phase. Returns how long 99 % of the saves took at most to show on another. */
async function measureStaleness(nodes: readonly RunningServer[], owner: Owner): Promise<number> {
  const [one, two] = nodes as [RunningServer, RunningServer];
  const durations: number[] = [];
  const end = performance.now() + PHASE_MS;
  for (let number = 0; performance.now() < end; number += 1) {
    const name = `Asha ${number}`;
    const call = { body: { name }, token: owner.sessionToken };
    await sendRequest(one, `/user/updateUser/${owner._id}`, call);
    const savedAt = performance.now();
    const isShown = async () =>
      (await (await fetch(`${two.origin}/user/${owner._id}`)).text()).includes(`${name}<`);
    await vi.waitUntil(isShown, { timeout: 10_000, interval: 5 });
    durations.push(performance.now() - savedAt);
  }
  return Math.round(
    durations.toSorted((a, b) => a - b)[Math.floor(durations.length * 0.99)] ?? NaN,
  );
}

describe.skipIf(!hasS3Server)('two nodes', () => {
  test.each(SITE_PROXIES)(
    '$name: nothing fails while notifications of the database are cut and while the bucket is away',
    async ({ name, start }) => {
      const cluster = await startCluster();
      onTestFinished(() => cluster.stop());
      const store = await startS3Server();
      onTestFinished(() => store.stop());
      const [port, httpPort] = [await freePort(), await freePort()];
      const origin = `https://localhost:${port}`;
      const environment = {
        DATABASE_URL: cluster.url,
        ...store.environmentOf(await store.makeBucket()),
        PUBLIC_URL: origin,
        TRUST_PROXY: ADDRESS,
        LIMIT_READS_PER_MINUTE: '1000000',
        LIMIT_CONTACTS_PER_HOUR: '100000',
        LIMIT_CONTACTS_PER_CARD: '10000',
      };
      const nodes = [await startServer(environment), await startServer(environment)];
      onTestFinished(async () => void (await Promise.all(nodes.map((node) => node.dispose()))));
      const [node] = nodes as [RunningServer];
      start({
        folder: newFolder(),
        port,
        httpPort,
        nodes: nodes.map((one) => Number(new URL(one.origin).port)),
      });
      vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0');
      onTestFinished(() => void vi.unstubAllEnvs());
      const isUp = () =>
        fetch(origin).then(
          ({ ok }) => ok,
          () => false,
        );
      await vi.waitUntil(isUp, WAIT);
      const owners = [await createOwner(node, '9876500001'), await createOwner(node, '9876500002')];
      const probe = await createOwner(node, '9876500003', { name: 'Asha' });
      const picture = await twoHalves({ width: 300, height: 300 }).png().toBuffer();
      const upload = async () => (await postPhoto({ origin }, probe, picture)).status;
      await vi.waitUntil(async () => (await upload()) === 200, WAIT);

      const load = startLoad(origin, owners, LOAD_PAUSE_MS);
      const startedAt = performance.now();
      const listening = await measureStaleness(nodes, probe);
      const cut = setInterval(() => {
        const listeners =
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tessera invalidation'";
        void administer(cluster.url, listeners);
      }, 100);
      const deaf = await measureStaleness(nodes, probe);
      clearInterval(cut);
      await store.halt();
      expect(await upload()).toBe(503);
      for (const one of nodes)
        await expect
          .poll(async () => (await fetch(`${one.origin}/readyz`)).json(), WAIT)
          .toEqual({ status: 'ready', degraded: ['photos'] });
      await pause(PHASE_MS);
      await store.resume();
      await vi.waitUntil(async () => (await upload()) === 200, WAIT);
      await load.stop();
      const { read, save, contact } = load.sent;
      const seconds = (performance.now() - startedAt) / 1000;
      print(
        `${name}: ${Math.round((read + save + contact) / seconds)} requests a second, ${save} saves, ${load.failures.length} failed; ` +
          `99 % of the saves showed on the other node within ${listening} ms, and within ${deaf} ms without notifications`,
      );
      expect(load.failures).toEqual([]);
      await expect.poll(() => load.findLosses(), WAIT).toEqual([]);
      expect(listening).toBeLessThan(STALE_MS_MAX);
      // A node without notifications keeps a card for a second.
      expect(deaf).toBeLessThan(2 * STALE_MS_MAX);
    },
  );
});
