import { beforeEach, expect, test, vi } from 'vitest';

import { MINUTE_MS } from '#domain/duration.ts';
import { addressPrefixes } from '#server/http/proxy.ts';
import { tokenInvalidError } from '#server/error.ts';
import type { Provider } from './verification.ts';
import { newToken } from '#server/token.ts';
import { buildTestApp, signInByApi, useTestApp, verifyPhone } from '#tests/support/app.ts';
import { statusOf } from '#tests/support/codes.ts';
import { onEachDatabase, openTestSqlite } from '#tests/support/database.ts';

import { createTokenLimit } from './provider-tokens.ts';

const AUTHENTICATE = '/api/user/authenticate/phone';

onEachDatabase((open) => {
  let release: () => void;
  let calls: string[];
  let isHeld: boolean;
  let held: Promise<void>;
  /** Accepts `good.…` and rejects `bad.…`. Holds `slow.…` and all later tokens until they are released. */
  const provider: Provider = {
    client: { kind: 'otpless', scriptUrl: 'https://a.example/', configuration: {} },
    origins: [],
    verify: async (token) => {
      calls.push(token);
      if (token.startsWith('slow')) isHeld = true;
      if (isHeld) await held;
      if (token.startsWith('bad')) throw tokenInvalidError();
      return '+919876543210';
    },
  };
  const { testApp } = useTestApp(open, { dependencies: { provider } });
  beforeEach(() => {
    calls = [];
    isHeld = false;
    held = new Promise((resolve) => (release = resolve));
  });

  const send = (token: string, remoteAddress = '203.0.113.66') =>
    testApp.app.inject({ url: AUTHENTICATE, headers: { authorization: token }, remoteAddress });
  const authenticate = (token: string, from?: string) => statusOf(send(token, from));
  const authenticateAtOnce = (count: number, tokenAt: (n: number) => string) =>
    Promise.all(Array.from({ length: count }, (_, n) => authenticate(tokenAt(n))));

  test('provider token: an address has 60 rejected ones in 10 minutes', async () => {
    expect(await authenticate('good.1')).toBe(200);
    for (let n = 0; n < 70; n += 1)
      expect(await authenticate(`bad.${n}`)).toBe(n < 60 ? 403 : '429 after 600 s');
    expect(calls).toHaveLength(61);
    expect(await authenticate('good.2')).toBe('429 after 600 s');
    expect(await authenticate('good.3', '203.0.113.67')).toBe(200);
    testApp.clock.advance(10 * MINUTE_MS);
    expect(await authenticate('good.4')).toBe(200);
  });

  test('provider token: verifies at most sixteen at the same time, more are 503', async () => {
    const responses = Array.from({ length: 16 }, (_, n) =>
      authenticate(`slow.${n}`, `203.0.113.${n}`),
    );
    await expect.poll(() => calls.length, { timeout: 30_000 }).toBe(16);
    expect(await authenticate('good', '203.0.113.99')).toBe('503 after 1 s');
    const message = 'Many people are signing in right now. Try again.';
    expect((await send('good')).json()).toMatchObject({ message });
    expect(calls).toHaveLength(16);
    release();
    expect(await Promise.all(responses)).toEqual(Array<number>(16).fill(200));
    expect(await authenticate('good', '203.0.113.99')).toBe(200);
  });

  test('provider token: a malformed or a used one is 403 without a call and is no rejected one', async () => {
    expect(await authenticate('good')).toBe(200);
    for (let n = 0; n < 70; n += 1)
      for (const token of ['good', 'not a token']) expect(await authenticate(token)).toBe(403);
    expect(calls).toEqual(['good']);
    expect(await authenticate('good.2')).toBe(200);
  });

  test('provider token: simultaneous uses of a rejected one are one call, many junk tokens few', async () => {
    expect(await authenticateAtOnce(100, () => 'bad')).toEqual(Array<number>(100).fill(403));
    expect(calls).toEqual(['bad']);
    expect(await authenticate('good')).toBe(200);
    await authenticateAtOnce(300, (n) => `bad.${n}`);
    expect(calls.length).toBeLessThan(60 + 16);
  });
});

test('exchange token: no number of junk or used ones keeps those behind the address from signing in', async () => {
  const embedded = buildTestApp((await openTestSqlite()).database);
  const use = async (authorization: string) => {
    const response = embedded.app.inject({ url: AUTHENTICATE, headers: { authorization } });
    return statusOf(response);
  };
  const used = await verifyPhone(embedded, '+919876543210');
  expect(await use(used)).toBe(200);
  const one = vi.spyOn(embedded.dependencies.database, 'one');
  const junk = (n: number) => [newToken(), `junk.${n}`, used][n % 3] ?? '';
  const statuses = await Promise.all(Array.from({ length: 660 }, (_, n) => use(junk(n))));
  expect([...new Set(statuses)]).toEqual([403]);
  // A token of another form is rejected without a query.
  const queries = one.mock.calls.length;
  expect((await signInByApi(embedded, '+919876543211')).sessionToken).toHaveLength(43);
  expect(queries).toBeLessThanOrEqual(440);
});

test('token limit: a /48 has three times as many as a /64', () => {
  const limit = createTokenLimit({ now: () => 0 });
  const networks = [1, 2, 3].map((network) => addressPrefixes(`2001:db8:5:${network}::1`));
  for (let n = 0; n < 60; n += 1)
    for (const network of networks) {
      limit.check(network);
      limit.count(network);
    }
  const fourth = addressPrefixes('2001:db8:5:4::1');
  expect(() => limit.check(fourth)).toThrow('Too many sign-ins failed.');
  limit.check(addressPrefixes('2001:db8:6:1::1'));
});
