import { afterEach, expect, test, vi } from 'vitest';

import { Unavailable, UnknownResultError } from '#server/db/database.ts';

import { useTestApp } from './support/app.ts';

const ID = '1'.repeat(16);

const { testDatabase, testApp } = useTestApp();
afterEach(() => void vi.restoreAllMocks());

test.each([
  [new Unavailable(null), 'The database is not available: not saved. Try again.'],
  [
    new UnknownResultError(null),
    'The database did not confirm this: it is not known whether it was saved. Try again.',
  ],
])('unavailable database: a call and a page are 503 with Retry-After', async (error, message) => {
  vi.spyOn(testDatabase.database, 'one').mockRejectedValue(error);
  const call = await testApp.app.inject(`/api/user/${ID}`);
  expect([call.statusCode, call.headers['retry-after'], call.json()]).toEqual([
    503,
    '2',
    { error: 'unavailable', message },
  ]);
  const page = await testApp.app.inject(`/user/${ID}`);
  expect([page.statusCode, page.headers['retry-after'], page.headers['content-type']]).toEqual([
    503,
    '2',
    'text/html; charset=utf-8',
  ]);
  // Chats do not ask for a preview picture again.
  const preview = await testApp.app.inject(`/user/${ID}/preview.jpg`);
  expect([preview.statusCode, preview.headers['cache-control']]).toEqual([200, 'no-store']);
});
