import { setTimeout as pause } from 'node:timers/promises';

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';

import { startLoad } from './support/load.ts';
import { createOwner, sendCode, sendRequest } from './support/owner.ts';
import type { Owner } from './support/owner.ts';
import { startCluster } from './support/postgres.ts';
import { startProxy } from './support/proxy.ts';
import { startServer } from './support/server.ts';
import type { RunningServer } from './support/server.ts';

const NODES = 3;
const WAIT = { timeout: 60_000, interval: 20 };
const LOAD_MS = 400;
/** Between two requests of a sender, so that other tests have the processor too. */
const PAUSE_MS = 20;
/** The minimum of requests of each kind during the load. A busy machine sends few. */
const REQUESTS_MIN = 10;

describe.skipIf(inject('postgresUrl') === '')('several nodes on one PostgreSQL', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  const nodes: RunningServer[] = [];

  async function addNode() {
    const settings = { DRAIN_SECONDS: '2', TRUST_PROXY: '127.0.0.1' };
    const node = await startServer({ DATABASE_URL: cluster.url, ...settings });
    nodes.push(node);
    proxy.add(node.origin);
    await vi.waitUntil(() => proxy.isReady(node.origin), WAIT);
  }

  beforeAll(async () => {
    [cluster, proxy] = await Promise.all([startCluster(), startProxy()]);
    // Start together, so that their migrations compete.
    await Promise.all(Array.from({ length: NODES }, addNode));
  });

  afterAll(async () => {
    proxy.close();
    await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
    await Promise.all(nodes.map((node) => node.dispose()));
    cluster.stop();
  });

  const firstNodes = () => nodes as [RunningServer, RunningServer, RunningServer];
  const sessionStatuses = ({ _id, sessionToken }: Owner) => {
    const init = { headers: { authorization: sessionToken } };
    const urls = nodes.map(({ origin }) => `${origin}/api/profile/getContacts/${_id}`);
    return Promise.all(urls.map(async (url) => (await fetch(url, init)).status));
  };
  test('nodes: a code, its token and its session are valid on every node', async () => {
    const [first, second, third] = firstNodes();
    const challenge = await sendCode(first, '9876500001');
    const code = await first.codeFor('+919876500001');
    const { token } = await sendRequest<{ token: string }>(second, '/otp/verify', {
      body: { challenge, code },
    });
    const owner = await sendRequest<Owner>(third, '/user/authenticate/phone', { token });
    expect(await sessionStatuses(owner)).toEqual([200, 200, 200]);
    // The token is used once on all nodes.
    for (const node of nodes)
      await expect(sendRequest(node, '/user/authenticate/phone', { token })).rejects.toThrow('403');
    // A logout on one node ends the session on all.
    await sendRequest(second, '/user/logout', { body: {}, token: owner.sessionToken });
    expect(await sessionStatuses(owner)).toEqual([403, 403, 403]);
  });

  test('nodes: a rolling restart under load fails no request and loses no acknowledged write', async () => {
    const [first] = firstNodes();
    const phones = ['9876500021', '9876500022', '9876500023'];
    const owners = await Promise.all(phones.map((phone) => createOwner(first, phone)));
    const load = startLoad(proxy.origin, owners, PAUSE_MS);
    for (const node of nodes.slice()) {
      await pause(LOAD_MS);
      expect(await node.stop('SIGTERM')).toBe(0);
      proxy.remove(node.origin);
      nodes.splice(nodes.indexOf(node), 1);
      await addNode();
    }
    await load.stop();
    expect(load.failures).toEqual([]);
    // For a moment another node may show an earlier card (docs/scaling.md#several-nodes).
    await expect.poll(() => load.findLosses(), WAIT).toEqual([]);
    expect(Math.min(...Object.values(load.sent))).toBeGreaterThan(REQUESTS_MIN);
  });
});
