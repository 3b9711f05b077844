import { expect, test, vi } from 'vitest';

import { SECOND_MS } from '#domain/duration.ts';
import { useFakeServices } from '#tests/support/third-party.ts';

import { createHttpClient } from './http-client.ts';

const services = useFakeServices();

test('HTTP client: a late response is an error with its reason, and a request without its own timeout has five seconds', async () => {
  const late = { isTimeout: true, message: expect.stringMatching(/: no response in time\.$/) };
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
