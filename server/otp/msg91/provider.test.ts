import { afterAll, beforeAll, expect, test } from 'vitest';

import { FAILURES, REDIRECTED_PATH } from '#tests/support/fake-failures.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';
import {
  outcomeOf,
  MISCONFIGURED,
  openTestProvider,
  REJECTED,
  UNAVAILABLE,
} from '#tests/support/third-party.ts';

const PATH = '/msg91/api/v5/widget/verifyAccessToken';

let services: FakeServices;
beforeAll(async () => {
  services = await startFakeServices();
});
afterAll(() => services.close());

const open = (environment: Record<string, string> = {}) =>
  openTestProvider({ ...services.environment.msg91, ...environment });

test('the page is told the widget and its public token; the key of the account stays here', async () => {
  const { client, origins } = await open();
  expect(client).toEqual({
    kind: 'msg91',
    scriptUrl: `${services.origin}/msg91/otp-provider.js`,
    configuration: { widgetId: 'widget-1', tokenAuth: 'token-auth-1' },
  });
  expect(origins).toEqual([
    services.origin,
    'https://verify.msg91.com',
    'https://control.msg91.com',
  ]);
});

test('a success names the phone, asked for with the key in the body', async () => {
  expect(await (await open()).verify('good.919812345678.1')).toBe('+919812345678');
  expect(JSON.parse(services.callsTo(PATH).at(-1)?.body ?? '')).toEqual({
    authkey: 'auth-key-1',
    'access-token': 'good.919812345678.1',
  });
});

test('a token that was verified before (code 702) signs nobody in', async () => {
  const provider = await open();
  expect(await provider.verify('good.919812345678.2')).toBe('+919812345678');
  expect(await outcomeOf(provider.verify('good.919812345678.2'))).toEqual(REJECTED);
});

test.each([
  'unknown',
  'expired',
  'email',
  'no-country-code',
  'too-long',
  'too-short',
  'error-with-phone',
  'good.12345.1',
])('a token that is %s signs nobody in', async (token) => {
  expect(await outcomeOf((await open()).verify(token))).toEqual(REJECTED);
});

test.each(['number', 'failed'])('an answer of another kind (%s) signs nobody in', async (token) => {
  expect(await outcomeOf((await open()).verify(token))).toMatchObject({
    status: expect.toSatisfy((status: number) => status === 403 || status === 503),
  });
});

test.each(FAILURES)('an answer that is %s: try again later, asked once', async (token) => {
  const before = services.callsTo(PATH).length;
  expect(await outcomeOf((await open()).verify(token))).toEqual(UNAVAILABLE);
  expect(services.callsTo(PATH).length - before).toBe(1);
  expect(services.callsTo(REDIRECTED_PATH)).toEqual([]);
});

test('a wrong key, told by status 200, is ours to mend', async () => {
  const provider = await open({ MSG91_AUTH_KEY: 'other' });
  expect(await outcomeOf(provider.verify('good.919812345678.3'))).toEqual(MISCONFIGURED);
});
