import { expect, test } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';

test('contacts view: an owner has 300 searches a minute, and pages without a limit', async () => {
  const { database } = await openTestSqlite();
  const context = buildTestApp(database, { environment: { VIEWS: 'contacts' } });
  type Owner = Awaited<ReturnType<typeof signInByApi>>;
  const search = async ({ _id, sessionToken }: Owner, words = 'asha') => {
    const url = `/api/contacts/findContacts/${_id}`;
    const headers = { authorization: sessionToken };
    const payload = { search: words };
    return (await context.app.inject({ method: 'POST', url, headers, payload })).statusCode;
  };
  const owner = await signInByApi(context);
  for (let count = 0; count < 300; count += 1) expect(await search(owner)).toBe(200);
  expect(await search(owner)).toBe(429);
  expect(await search(owner, '')).toBe(200);
  expect(await search(await signInByApi(context, '+919876500001'))).toBe(200);
  context.clock.advance(MINUTE_MS);
  expect(await search(owner)).toBe(200);
});
