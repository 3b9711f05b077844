import { expect, test } from 'vitest';

import { fire } from '#tests/support/fuzz.ts';
import { FULL_CARD, sendRequest, createOwner } from '#tests/support/owner.ts';
import { startServer } from '#tests/support/server.ts';

import { countOf, tell } from '#tests/support/long-run.ts';

const SHOTS = countOf('HARDENING_FUZZ', 100_000);
const SEED = countOf('HARDENING_SEED', Date.now() % 1_000_000_000);

test('requests near what is right and far from it: no 5xx, no hang, nothing lost', async () => {
  const server = await startServer({ TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' });
  tell(`HARDENING_SEED=${SEED}`);
  try {
    const quiet = await createOwner(server, '9876543211', FULL_CARD);
    const owner = await createOwner(server, '9876543210');
    const { outcomes, faults } = await fire({
      ids: [owner._id, quiet._id],
      tokens: [owner.sessionToken],
      port: Number(new URL(server.origin).port),
      count: SHOTS,
      seed: SEED,
    });
    tell(`${SHOTS} requests: ${JSON.stringify(outcomes)}`);
    expect(faults).toEqual([]);
    expect(await sendRequest(server, `/user/${quiet._id}`)).toMatchObject(FULL_CARD);
    const ready = await fetch(`${server.origin}/readyz`);
    expect(ready.status).toBe(200);
    expect(server.output()).not.toContain('"level":"error"');
  } finally {
    await server.dispose();
  }
});
