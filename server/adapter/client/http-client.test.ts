import { expect, test, vi } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

import { createHttpClient, NoResponseError } from './http-client.ts';

const services = useFakeServices();

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

test('HTTP client: a response of any status is its status and its JSON, or undefined', async () => {
  const success = { type: 'success', message: '919876543210' };
  expect(await post('good.919876543210.1')).toEqual({ status: 200, content: success });
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

test('HTTP client: a request without its own timeout has five seconds', async () => {
  const passed = AbortSignal.abort(new DOMException('', 'TimeoutError'));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(passed);
  expect(await failure(post('hang'))).toMatch(/no response in time/);
  expect(timeout.mock.calls).toEqual([[5 * SECOND_MS]]);
  timeout.mockRestore();
});
