import { expect, test } from 'vitest';

import { sendFuzzRequests } from '#tests/support/fuzz.ts';
import { FULL_CARD, sendRequest, createOwner } from '#tests/support/owner.ts';
import { startServer } from '#tests/support/server.ts';

import { readNumber } from '#tests/support/environment-number.ts';
import { print } from '#tests/support/print.ts';

const REQUEST_COUNT = readNumber('HARDENING_FUZZ', 100_000);
const SEED = readNumber('HARDENING_SEED', Date.now() % 1_000_000_000);

test('fuzzing: random requests get no 5xx and no timeout, and change no other card', async () => {
  const server = await startServer({ TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' });
  print(`HARDENING_SEED=${SEED}`);
  try {
    const untouched = await createOwner(server, '9876543211', FULL_CARD);
    const owner = await createOwner(server, '9876543210');
    const { outcomes, failures } = await sendFuzzRequests({
      ids: [owner._id, untouched._id],
      tokens: [owner.sessionToken],
      port: Number(new URL(server.origin).port),
      count: REQUEST_COUNT,
      seed: SEED,
    });
    print(`${REQUEST_COUNT} requests: ${JSON.stringify(outcomes)}`);
    expect(failures).toEqual([]);
    expect(await sendRequest(server, `/user/${untouched._id}`)).toMatchObject(FULL_CARD);
    const ready = await fetch(`${server.origin}/readyz`);
    expect(ready.status).toBe(200);
    expect(server.output()).not.toContain('"level":"error"');
  } finally {
    await server.dispose();
  }
});
