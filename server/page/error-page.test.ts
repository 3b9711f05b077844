import { beforeEach, expect, test } from 'vitest';

import { useTestApp } from '#tests/support/app.ts';

const { testApp } = useTestApp();
beforeEach(() => {
  testApp.app.get('/failing', async () => {
    throw new Error('an internal detail');
  });
});

const SCREEN = {
  type: 'text/html; charset=utf-8',
  robots: 'noindex',
  caching: 'no-store',
  heading: 'Unexpected Application Error!',
  links: ['/'],
};

async function screenOf(url: string, method: 'GET' | 'POST' = 'GET') {
  const { statusCode, headers, body } = await testApp.app.inject({ url, method });
  return {
    status: statusCode,
    type: headers['content-type'],
    robots: headers['x-robots-tag'],
    caching: headers['cache-control'],
    heading: /<h1[^>]*>([^<]*)</.exec(body)?.[1],
    links: [...body.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href),
  };
}

test('error page: an unknown path is 404 with one link', async () => {
  expect(await screenOf('/no/such/page')).toEqual({ status: 404, ...SCREEN });
});

test('error page: a failing route is 500 without the reason', async () => {
  expect(await screenOf('/failing')).toEqual({ status: 500, ...SCREEN });
  const { body } = await testApp.app.inject('/failing');
  expect(body).not.toContain('internal detail');
});

test('error page: a POST to an unknown path is 404', async () => {
  expect(await screenOf('/no/such/page', 'POST')).toEqual({ status: 404, ...SCREEN });
});

test('error page: HEAD of an unknown path is 404 without a body', async () => {
  const { statusCode, headers, body } = await testApp.app.inject({
    url: '/nowhere',
    method: 'HEAD',
  });
  expect([statusCode, headers['content-type'], body]).toEqual([404, SCREEN.type, '']);
});

test('error page: an unknown call is 404 as JSON, not as a page', async () => {
  const { statusCode, headers, body } = await testApp.app.inject('/api/no/such/call');
  expect([statusCode, headers['content-type'], JSON.parse(body)]).toEqual([
    404,
    'application/json; charset=utf-8',
    { error: 'not_found', message: 'There is nothing here.' },
  ]);
});
