import { expect, onTestFinished, test } from 'vitest';

import { signInByApi, useTestApp } from './support/app.ts';
import { readNumber } from './support/environment-number.ts';
import { sendFuzzRequests } from './support/fuzz.ts';
import { FULL_CARD, createOwner, sendRequest } from './support/owner.ts';
import { print } from './support/print.ts';
import { startServer } from './support/server.ts';

// npm run hardening sends 100,000, with a new seed for each run.
const REQUEST_COUNT = readNumber('HARDENING_FUZZ', 3000);
const CONTROL_REQUEST_COUNT = 1500;
const SEED = readNumber('HARDENING_SEED', 20_260_115);

const { testApp } = useTestApp(undefined, { environment: { TRUST_PROXY: '127.0.0.1' } });

test('fuzzing: random requests get no 5xx and no timeout, and change no other card', async () => {
  const server = await startServer({ TRUST_PROXY: '127.0.0.1', LOG_LEVEL: 'error' });
  onTestFinished(() => server.dispose());
  const untouched = await createOwner(server, '9876543211', FULL_CARD);
  const owner = await createOwner(server, '9876543210');
  const ids = [owner._id, untouched._id];
  const run = { port: Number(new URL(server.origin).port), count: REQUEST_COUNT, seed: SEED };
  const tokens = [owner.sessionToken];
  const { outcomes, failures } = await sendFuzzRequests({ ids, tokens, ...run });
  print(`HARDENING_SEED=${SEED}, ${REQUEST_COUNT} requests: ${JSON.stringify(outcomes)}`);
  expect(failures).toEqual([]);
  expect(await sendRequest(server, `/user/${untouched._id}`)).toMatchObject(FULL_CARD);
  // Control: requests reached every kind of outcome.
  for (const status of [200, 400, 403, 404, 415]) expect(outcomes[status]).toBeGreaterThan(5);
  expect((await fetch(`${server.origin}/readyz`)).status).toBe(200);
  expect(server.output()).not.toContain('"level":"error"');
});

test('fuzzing: finds a deliberate exception', async () => {
  testApp.app.addHook('preHandler', async (request) => {
    const body = request.body as { contact?: { name?: unknown } } | undefined;
    if (typeof body?.contact?.name === 'string') throw new TypeError('deliberate');
  });
  const { _id, sessionToken } = await signInByApi(testApp);
  const { port } = new URL(await testApp.app.listen({ host: '127.0.0.1', port: 0 }));
  const run = { port: Number(port), count: CONTROL_REQUEST_COUNT, seed: SEED };
  const { failures } = await sendFuzzRequests({ ids: [_id], tokens: [sessionToken], ...run });
  expect(failures[0]).toMatch(/^500: .*addContact/);
});
