import { afterEach, expect, test, vi } from 'vitest';

import { Unavailable, UnknownResultError } from '#server/adapter/database/database.ts';

import { useTestApp } from './support/app.ts';

const ID = '1'.repeat(16);

const { testDatabase, testApp } = useTestApp();
afterEach(() => void vi.restoreAllMocks());

const json = (message: string) => JSON.stringify({ error: 'unavailable', message });

async function answer(url: string, method: 'GET' | 'POST' = 'GET') {
  const sent = { url, method, headers: { authorization: 'x'.repeat(43) } };
  const { statusCode, headers, body } = await testApp.app.inject(sent);
  return [statusCode, headers['retry-after'] ?? headers['cache-control'], body];
}

test.each([
  [new Unavailable(null), 'The database is not available: not saved. Try again.'],
  [
    new UnknownResultError(null),
    'The database did not confirm this: it is not known whether it was saved. Try again.',
  ],
])('unavailable database: a call and a page are 503 with Retry-After', async (error, message) => {
  vi.spyOn(testDatabase.database, 'one').mockRejectedValue(error);
  expect(await answer(`/api/user/removeProfileImage/${ID}`, 'POST')).toEqual([
    503,
    '2',
    json(message),
  ]);
  // Nobody has saved anything.
  const notRead = json("The database isn't available. Try again.");
  expect(await answer(`/api/user/${ID}`)).toEqual([503, '2', notRead]);
  const page = expect.stringContaining('<!doctype html>') as string;
  expect(await answer(`/user/${ID}`)).toEqual([503, '2', page]);
  // Chats do not ask for a preview picture again.
  expect((await answer(`/user/${ID}/preview.jpg`)).slice(0, 2)).toEqual([200, 'no-store']);
});
