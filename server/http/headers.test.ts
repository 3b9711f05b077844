import { expect, test } from 'vitest';

import { contentSecurityPolicy } from '#server/adapter/html/render.ts';
import { useOwner, useTestApp } from '#tests/support/app.ts';
import { words } from '#tests/support/words.ts';

const { testApp } = useTestApp();
const owner = useOwner(testApp);

test('content security policy: every directive is restrictive by default', () => {
  expect(contentSecurityPolicy({})).toBe(
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; " +
      "connect-src 'self'; font-src 'self'; manifest-src 'self'; object-src 'none'; " +
      "base-uri 'none'; frame-ancestors 'none'; form-action 'self'",
  );
});

test('headers: no page and no other response can be framed', async () => {
  const card = `/user/${owner._id}`;
  const others = '/user/nobody /privacy_policy /no/such/page /healthz';
  for (const url of words(
    `/ /login /ftue /dashboard /dashboard/edit ${card} /api${card} ${others}`,
  )) {
    const { headers } = await testApp.app.inject(url);
    const policy = expect.stringContaining("frame-ancestors 'none'");
    const expected = { 'content-security-policy': policy, 'x-frame-options': 'DENY' };
    expect(headers, url).toMatchObject(expected);
  }
});
