import { afterAll, beforeAll, expect, test } from 'vitest';

import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';

import { createHttpClient, NoResponseError } from './http-client.ts';

const TOKEN = 'good.919876543210.1';

let services: FakeServices;
beforeAll(async () => {
  services = await startFakeServices();
});
afterAll(() => services.close());

/** Posts a token to the fake MSG91, whose reply depends on the token. */
const post = (token: string, timeoutMs?: number) =>
  createHttpClient(timeoutMs)({
    url: `${services.origin}/msg91/api/v5/widget/verifyAccessToken`,
    body: JSON.stringify({ authkey: 'auth-key-1', 'access-token': token }),
  });

const failure = (response: Promise<unknown>) =>
  response.then(
    () => 'no error',
    (error: unknown) => (error instanceof NoResponseError ? error.message : String(error)),
  );

test('HTTP client: a response is its status and its JSON', async () => {
  expect(await post(TOKEN)).toEqual({
    status: 200,
    content: { type: 'success', message: '919876543210' },
  });
});

test('HTTP client: a body that is not JSON is undefined, and an error status is a response', async () => {
  expect(await post('html')).toEqual({ status: 200, content: undefined });
  expect(await post('broken')).toEqual({ status: 500, content: { error: 'internal' } });
});

test('HTTP client: a large, redirected, late or missing response is an error with its reason', async () => {
  const host = new URL(services.origin).host;
  expect(await failure(post('huge'))).toBe(`${host} answered with more than 65536 bytes.`);
  expect(await failure(post('redirect'))).toBe(`${host} answered with a redirect (307).`);
  expect(await failure(post('hang', 200))).toBe(`${host}: no response in time.`);
  const unreachable = createHttpClient()({ url: 'http://127.0.0.1:1/' });
  expect(await failure(unreachable)).toMatch(/^127\.0\.0\.1:1: no response \(.+\)\.$/);
});

test('HTTP client: a request without its own timeout uses the default one', async () => {
  expect(await failure(post('hang'))).toMatch(/no response in time/);
});
