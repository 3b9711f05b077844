import { afterEach, beforeEach, expect, test } from 'vitest';

import { buildTestApp, signInByApi } from './support/app.ts';
import { openTestSqlite } from './support/database.ts';
import type { TestDatabase } from './support/database.ts';
import { fire } from './support/fuzz.ts';
import { FULL_CARD } from './support/owner.ts';

const SHOTS = 3000;
const PLANTED_SHOTS = 500;
// Always the same requests; npm run hardening sends others each time.
const SEED = 20_260_115;

let store: TestDatabase;
let context: ReturnType<typeof buildTestApp>;
let means: { ids: string[]; tokens: string[] };
let quiet: { _id: string };

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
  quiet = { _id };
  await context.app.inject({
    method: 'POST',
    url: `/api/user/updateUser/${_id}`,
    headers: { authorization: sessionToken },
    payload: FULL_CARD,
  });
  const owner = await signInByApi(context);
  means = { ids: [owner._id, quiet._id], tokens: [owner.sessionToken] };
  return Number(new URL(await context.app.listen({ host: '127.0.0.1', port: 0 })).port);
}

test('three thousand requests, near what is right and far from it: no 5xx, no hang, nothing lost', async () => {
  const port = await begin();
  const { outcomes, faults } = await fire({ ...means, port, count: SHOTS, seed: SEED });
  expect(faults).toEqual([]);
  const card = await context.app.inject(`/api/user/${quiet._id}`);
  expect(card.json()).toMatchObject({ ...FULL_CARD, _id: quiet._id });
  // Some got through to everything behind the door, and some did not.
  for (const status of [200, 400, 403, 404, 415]) expect(outcomes[status]).toBeGreaterThan(5);
}, 120_000);

test('the control: a call that falls over what it is sent is found', async () => {
  context.app.addHook('preHandler', async (request) => {
    const body = request.body as { contact?: { name?: unknown } } | undefined;
    if (typeof body?.contact?.name === 'string') throw new TypeError('planted');
  });
  const port = await begin();
  const { faults } = await fire({ ...means, port, count: PLANTED_SHOTS, seed: SEED });
  expect(faults[0]).toMatch(/^500: .*addContact/);
}, 120_000);
