import { setTimeout as pause } from 'node:timers/promises';

import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';

import { print, waitUntil } from '#tests/support/long-run.ts';
import { createOwner } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { startCluster } from '#tests/support/postgres.ts';
import { startServer } from '#tests/support/server.ts';
import type { RunningServer } from '#tests/support/server.ts';

/** The promise is two seconds; a machine that is busy with other things gets some more. */
const ANSWER_WITHIN_MS = Number(process.env['HARDENING_ANSWER_MS'] ?? 2500);
const AT_ONCE = 40;

describe.skipIf(inject('postgresUrl') === '')('with its database away', () => {
  let cluster: Awaited<ReturnType<typeof startCluster>>;
  let server: RunningServer;
  let owner: Owner;

  beforeAll(async () => {
    cluster = await startCluster();
    server = await startServer({ DATABASE_URL: cluster.url, TRUST_PROXY: '127.0.0.1' });
    owner = await createOwner(server, '9876543210', { name: 'Asha' });
  });
  afterAll(async () => {
    await server.dispose();
    cluster.stop();
  });

  async function look(path: string, init: RequestInit = {}) {
    const startedAt = performance.now();
    const answer = await fetch(server.origin + path, init);
    await answer.text();
    return {
      status: answer.status,
      hasRetryAfter: answer.headers.has('retry-after'),
      ms: performance.now() - startedAt,
    };
  }

  const save = (name: string) =>
    look(`/api/user/updateUser/${owner._id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: owner.sessionToken },
      body: JSON.stringify({ name }),
    });

  /** Many saves and readings at once: what they all got, and how long the last one waited. */
  async function manyAtOnce() {
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, at) =>
        at % 2 === 0 ? save(`Name ${at}`) : look(`/api/user/${owner._id}`),
      ),
    );
    const [ready, health] = await Promise.all([look('/readyz'), look('/healthz')]);
    const longestMs = Math.max(ready.ms, ...answers.map(({ ms }) => ms));
    return {
      statuses: [...new Set(answers.map(({ status }) => status))],
      allSayWhen: answers.every(({ hasRetryAfter }) => hasRetryAfter) && ready.hasRetryAfter,
      ready: ready.status,
      health: health.status,
      isPrompt: longestMs < ANSWER_WITHIN_MS,
      longestMs: Math.round(longestMs),
    };
  }

  const AWAY = { statuses: [503], allSayWhen: true, ready: 503, health: 200, isPrompt: true };

  async function expectAway(how: string) {
    const found = await manyAtOnce();
    print(`${how}: the last of ${AT_ONCE} was told after ${found.longestMs} ms`);
    expect(found).toMatchObject(AWAY);
  }

  async function expectBack() {
    await waitUntil(async () => (await look('/readyz')).status === 200);
    // The control: the very same questions are answered.
    expect(await manyAtOnce()).toMatchObject({ statuses: [200], ready: 200, health: 200 });
  }

  test('down: 503 with Retry-After, not ready, alive; back by itself', async () => {
    await expectBack();
    cluster.halt();
    await expectAway('down');
    cluster.resume();
    await expectBack();
  });

  test('hung: the same, since nobody waits for ever', async () => {
    const processes = cluster.processes();
    for (const pid of processes) process.kill(pid, 'SIGSTOP');
    try {
      await expectAway('hung');
    } finally {
      for (const pid of processes) process.kill(pid, 'SIGCONT');
    }
    await expectBack();
  });

  test('restarting again and again: only 200 and 503, and back by itself', async () => {
    const statuses = new Set<number>();
    const over = new AbortController();
    const asking = (async () => {
      while (!over.signal.aborted) statuses.add((await save('Again')).status);
    })();
    for (let count = 0; count < 5; count += 1) {
      cluster.halt();
      cluster.resume();
      await pause(300);
    }
    over.abort();
    await asking;
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([]);
    await expectBack();
  });

  test('every connection of the pool held up by a lock: whoever needs one is told in time', async () => {
    const tool = new Client({ connectionString: cluster.url });
    await tool.connect();
    await tool.query('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    const found = await manyAtOnce();
    print(`held up: the last of ${AT_ONCE} was told after ${found.longestMs} ms`);
    expect(found).toMatchObject({ statuses: [503], health: 200, isPrompt: true });
    await tool.query('ROLLBACK');
    await tool.end();
    await expectBack();
  });
});
