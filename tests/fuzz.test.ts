import { expect, test } from 'vitest';

import { signInByApi, useTestApp } from './support/app.ts';
import { openTestSqlite } from './support/database.ts';
import { sendFuzzRequests } from './support/fuzz.ts';
import { FULL_CARD } from './support/owner.ts';

const REQUEST_COUNT = 3000;
const CONTROL_REQUEST_COUNT = 1500;
// The same requests every time; npm run hardening uses a new seed for each run.
const SEED = 20_260_115;

const { testApp } = useTestApp(openTestSqlite, { environment: { TRUST_PROXY: '127.0.0.1' } });
let input: { ids: string[]; tokens: string[] };
let untouched: { _id: string };

/** Starts the app with a card that no request may change; returns the port. */
async function start(): Promise<number> {
  const { _id, sessionToken } = await signInByApi(testApp, '+919876543211');
  untouched = { _id };
  await testApp.app.inject({
    method: 'POST',
    url: `/api/user/updateUser/${_id}`,
    headers: { authorization: sessionToken },
    payload: FULL_CARD,
  });
  const owner = await signInByApi(testApp);
  input = { ids: [owner._id, untouched._id], tokens: [owner.sessionToken] };
  return Number(new URL(await testApp.app.listen({ host: '127.0.0.1', port: 0 })).port);
}

test('fuzzing: 3000 requests get no 5xx and no timeout, and change no other card', async () => {
  const port = await start();
  const { outcomes, failures } = await sendFuzzRequests({
    ...input,
    port,
    count: REQUEST_COUNT,
    seed: SEED,
  });
  expect(failures).toEqual([]);
  const card = await testApp.app.inject(`/api/user/${untouched._id}`);
  expect(card.json()).toMatchObject({ ...FULL_CARD, _id: untouched._id });
  // Control: requests reached every kind of outcome.
  for (const status of [200, 400, 403, 404, 415]) expect(outcomes[status]).toBeGreaterThan(5);
});

test('fuzzing: finds a deliberate exception', async () => {
  testApp.app.addHook('preHandler', async (request) => {
    const body = request.body as { contact?: { name?: unknown } } | undefined;
    if (typeof body?.contact?.name === 'string') throw new TypeError('deliberate');
  });
  const port = await start();
  const { failures } = await sendFuzzRequests({
    ...input,
    port,
    count: CONTROL_REQUEST_COUNT,
    seed: SEED,
  });
  expect(failures[0]).toMatch(/^500: .*addContact/);
});
