import { beforeEach, expect, test } from 'vitest';

import { signInByApi, useTestApp } from '#tests/support/app.ts';

import { contentSecurityPolicy } from './headers.ts';

const { testApp } = useTestApp();
beforeEach(async () => {
  const { _id, sessionToken } = await signInByApi(testApp);
  await testApp.app.inject({
    method: 'POST',
    url: `/api/user/updateUser/${_id}`,
    headers: { authorization: sessionToken },
    payload: { name: 'Asha', phone: '9876543210' },
  });
  card = `/user/${_id}`;
});
let card: string;

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
  const owned = ['/', '/login', '/ftue', '/dashboard', '/dashboard/edit'];
  const open = [
    card,
    '/user/nobody',
    '/terms_conditions',
    '/privacy_policy',
    '/no/such/page',
    '/healthz',
  ];
  for (const url of [...owned, ...open, `/api${card}`]) {
    const { headers } = await testApp.app.inject(url);
    const ancestors = /frame-ancestors [^;]*/.exec(String(headers['content-security-policy']));
    expect([url, ancestors?.[0], headers['x-frame-options']]).toEqual([
      url,
      "frame-ancestors 'none'",
      'DENY',
    ]);
  }
});
