import { afterEach, beforeEach, expect, test } from 'vitest';

import { buildTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

let opened: TestDatabase;
let app: ReturnType<typeof buildTestApp>['app'];

beforeEach(async () => {
  opened = await openTestSqlite();
  ({ app } = buildTestApp(opened.database));
  app.get('/falls-over', async () => {
    throw new Error('a secret of the house');
  });
});

afterEach(async () => {
  await app.close();
  await opened.dispose();
});

const SCREEN = {
  type: 'text/html; charset=utf-8',
  robots: 'noindex',
  caching: 'no-store',
  heading: 'Unexpected Application Error!',
  ways: ['/'],
};

async function screenOf(url: string, method: 'GET' | 'POST' = 'GET') {
  const { statusCode, headers, body } = await app.inject({ url, method });
  return {
    status: statusCode,
    type: headers['content-type'],
    robots: headers['x-robots-tag'],
    caching: headers['cache-control'],
    heading: /<h1[^>]*>([^<]*)</.exec(body)?.[1],
    ways: [...body.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href),
  };
}

test('an address that leads nowhere gets the error screen with one way out', async () => {
  expect(await screenOf('/no/such/page')).toEqual({ status: 404, ...SCREEN });
});

test('a route that falls over gets the error screen, and nothing of why', async () => {
  expect(await screenOf('/falls-over')).toEqual({ status: 500, ...SCREEN });
  const { body } = await app.inject('/falls-over');
  expect(body).not.toContain('secret of the house');
});

test('something sent to an address that leads nowhere gets the error screen', async () => {
  expect(await screenOf('/no/such/page', 'POST')).toEqual({ status: 404, ...SCREEN });
});

test('HEAD of an address that leads nowhere says so without a body', async () => {
  const { statusCode, headers, body } = await app.inject({ url: '/nowhere', method: 'HEAD' });
  expect([statusCode, headers['content-type'], body]).toEqual([404, SCREEN.type, '']);
});

test('a call that does not exist is refused as data, not as a page', async () => {
  const { statusCode, headers, body } = await app.inject('/api/no/such/call');
  expect([statusCode, headers['content-type'], JSON.parse(body)]).toEqual([
    404,
    'application/json; charset=utf-8',
    { error: 'not_found', message: 'There is nothing here.' },
  ]);
});
