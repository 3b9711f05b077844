import { afterAll, beforeAll, expect, test } from 'vitest';

import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';

import { createHttpClient, NoResponseError } from './client.ts';

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

const failure = (asking: Promise<unknown>) =>
  asking.then(
    () => 'answered',
    (error: unknown) => (error instanceof NoResponseError ? error.message : String(error)),
  );

test('an answer is its status and its JSON', async () => {
  expect(await post(TOKEN)).toEqual({
    status: 200,
    content: { type: 'success', message: '919876543210' },
  });
});

test('what is no JSON has no content, and an error status is an answer', async () => {
  expect(await post('html')).toEqual({ status: 200, content: undefined });
  expect(await post('broken')).toEqual({ status: 500, content: { error: 'internal' } });
});

test('too much, too late, elsewhere and nobody are no answer, and the reason is one line', async () => {
  const host = new URL(services.origin).host;
  expect(await failure(post('huge'))).toBe(`${host} answered with more than 65536 bytes.`);
  expect(await failure(post('redirect'))).toBe(`${host} answered with a redirect (307).`);
  expect(await failure(post('hang', 200))).toBe(`${host}: no answer in time.`);
  const nobody = createHttpClient()({ url: 'http://127.0.0.1:1/' });
  expect(await failure(nobody)).toMatch(/^127\.0\.0\.1:1: no answer \(.+\)\.$/);
});

test('a hang ends by itself, long before the other side gives up', async () => {
  expect(await failure(post('hang'))).toMatch(/no answer in time/);
});
