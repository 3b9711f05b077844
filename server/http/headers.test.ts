import { expect, test } from 'vitest';

import { useOwner, useTestApp } from '#tests/support/app.ts';

import { contentSecurityPolicy } from './headers.ts';

const { testApp } = useTestApp();
const owner = useOwner(testApp);

test('content security policy: every directive is restrictive by default', () => {
  expect(contentSecurityPolicy({}).split('; ')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "form-action 'self'",
  ]);
});

test('headers: no page and no other response can be framed', async () => {
  const card = `/user/${owner._id}`;
  const owned = ['/', '/login', '/ftue', '/dashboard', '/dashboard/edit'];
  const open = [
    card,
    '/user/nobody',
    '/privacy_policy',
    '/no/such/page',
    '/healthz',
    `/api${card}`,
  ];
  for (const url of [...owned, ...open]) {
    const { headers } = await testApp.app.inject(url);
    expect(headers, url).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-frame-options': 'DENY',
    });
  }
});
