import { expect, onTestFinished, test, vi } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { HOSTILITIES, startHostileReceiver } from '#tests/support/hostile-receiver.ts';
import type { Hostility } from '#tests/support/hostile-receiver.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

import { createHttpClient } from './http-client.ts';
import { NoResponseError } from './outside/exchange.ts';

const services = useFakeServices();

test('HTTP client: a late response is an error with its reason, and a request without its own timeout has five seconds', async () => {
  const late = { isTimeout: true, message: expect.stringMatching(/: time-out\.$/) };
  const body = JSON.stringify({ authkey: 'auth-key-1', 'access-token': 'hang' });
  const post = (timeoutMs?: number) =>
    createHttpClient(timeoutMs)({
      url: `${services.origin}/msg91/api/v5/widget/verifyAccessToken`,
      body,
    });
  await expect(post(200)).rejects.toMatchObject(late);
  const passed = AbortSignal.abort(new DOMException('', 'TimeoutError'));
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(passed);
  await expect(post()).rejects.toMatchObject(late);
  expect(timeout.mock.calls).toEqual([[5 * SECOND_MS]]);
  timeout.mockRestore();
});

// Codes, login providers and the bucket of photos use the same client.
test.each(Object.keys(HOSTILITIES) as Hostility[])(
  'HTTP client: fails in time when a service %s',
  async (hostility) => {
    const service = await startHostileReceiver(hostility);
    onTestFinished(service.close);
    const response = createHttpClient(500)({ url: `${service.origin}/1`, body: '{}' });
    await expect(response).rejects.toThrow(NoResponseError);
    await vi.waitUntil(() => service.openConnections() === 0);
  },
);
