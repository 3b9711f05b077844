import { beforeEach, expect, test } from 'vitest';

import { useTestApp } from '#tests/support/app.ts';

const { testApp } = useTestApp();
beforeEach(() => {
  testApp.app.get('/failing', async () => {
    throw new Error('an internal detail');
  });
});

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-robots-tag': 'noindex',
  'cache-control': 'no-store',
};

test.each([
  ['GET', '/no/such/page', 404],
  ['POST', '/no/such/page', 404],
  ['GET', '/failing', 500],
] as const)('error page: %s %s is %i with one link and no reason', async (method, url, status) => {
  const { statusCode, headers, body } = await testApp.app.inject({ url, method });
  expect(statusCode).toBe(status);
  expect(headers).toMatchObject(HEADERS);
  expect(/<h1[^>]*>([^<]*)</.exec(body)?.[1]).toBe('Unexpected Application Error!');
  expect(Array.from(body.matchAll(/<a [^>]*href="([^"]*)"/g), ([, href]) => href)).toEqual(['/']);
  expect(body).not.toContain('internal detail');
});

test('error page: of HEAD has no body, and that of a call is JSON', async () => {
  const head = await testApp.app.inject({ url: '/nowhere', method: 'HEAD' });
  expect(head).toMatchObject({ statusCode: 404, headers: HEADERS, body: '' });
  const call = await testApp.app.inject('/api/no/such/call');
  expect([call.statusCode, call.json()]).toEqual([
    404,
    { error: 'not_found', message: 'There is nothing here.' },
  ]);
});
