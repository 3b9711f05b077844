import { afterEach, beforeEach, expect, test } from 'vitest';

import { buildTestApp, signInByApi } from './support/app.ts';
import { openTestSqlite } from './support/database.ts';
import type { TestDatabase } from './support/database.ts';
import { sendFuzzRequests } from './support/fuzz.ts';
import { FULL_CARD } from './support/owner.ts';

const REQUEST_COUNT = 3000;
const PLANTED_REQUEST_COUNT = 500;
// Always the same requests; npm run hardening sends others each time.
const SEED = 20_260_115;

let store: TestDatabase;
let context: ReturnType<typeof buildTestApp>;
let input: { ids: string[]; tokens: string[] };
let untouched: { _id: string };

beforeEach(async () => {
  store = await openTestSqlite();
  context = buildTestApp(store.database, { environment: { TRUST_PROXY: '127.0.0.1' } });
});

afterEach(async () => {
  await context.app.close();
  await store.dispose();
});

/** Starts it with a card that nothing that is sent may touch; gives back the port. */
async function begin(): Promise<number> {
  const { _id, sessionToken } = await signInByApi(context, '+919876543211');
  untouched = { _id };
  await context.app.inject({
    method: 'POST',
    url: `/api/user/updateUser/${_id}`,
    headers: { authorization: sessionToken },
    payload: FULL_CARD,
  });
  const owner = await signInByApi(context);
  input = { ids: [owner._id, untouched._id], tokens: [owner.sessionToken] };
  return Number(new URL(await context.app.listen({ host: '127.0.0.1', port: 0 })).port);
}

test('three thousand requests, near what is right and far from it: no 5xx, no hang, nothing lost', async () => {
  const port = await begin();
  const { outcomes, failures } = await sendFuzzRequests({
    ...input,
    port,
    count: REQUEST_COUNT,
    seed: SEED,
  });
  expect(failures).toEqual([]);
  const card = await context.app.inject(`/api/user/${untouched._id}`);
  expect(card.json()).toMatchObject({ ...FULL_CARD, _id: untouched._id });
  // Some got through to everything behind the door, and some did not.
  for (const status of [200, 400, 403, 404, 415]) expect(outcomes[status]).toBeGreaterThan(5);
}, 120_000);

test('the control: a call that falls over what it is sent is found', async () => {
  context.app.addHook('preHandler', async (request) => {
    const body = request.body as { contact?: { name?: unknown } } | undefined;
    if (typeof body?.contact?.name === 'string') throw new TypeError('planted');
  });
  const port = await begin();
  const { failures } = await sendFuzzRequests({
    ...input,
    port,
    count: PLANTED_REQUEST_COUNT,
    seed: SEED,
  });
  expect(failures[0]).toMatch(/^500: .*addContact/);
}, 120_000);
