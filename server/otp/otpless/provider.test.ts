import { afterAll, beforeAll, expect, test } from 'vitest';

import { FAILURES, REDIRECTED_PATH } from '#tests/support/fake-failures.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';
import {
  outcomeOf,
  MISCONFIGURED,
  openTestProvider,
  REJECTED,
  tokenOf,
  UNAVAILABLE,
} from '#tests/support/third-party.ts';

const PATH = '/otpless/auth/v1/validate/token';

let services: FakeServices;
beforeAll(async () => {
  services = await startFakeServices();
});
afterAll(() => services.close());

const open = (environment: Record<string, string> = {}) =>
  openTestProvider({ ...services.environment.otpless, ...environment });

test('otpless: the page gets the script and the application id', async () => {
  const { client, origins } = await open();
  expect(client).toEqual({
    kind: 'otpless',
    scriptUrl: `${services.origin}/otpless/v4/auth.js`,
    configuration: { appId: 'app-1' },
  });
  expect(origins).toEqual([services.origin, 'https://otpless.com', 'https://*.otpless.app']);
});

test('otpless: returns the verified mobile; the credentials are in the headers', async () => {
  expect(await (await open()).verify('good.919812345678.1')).toBe('+919812345678');
  const call = services.callsTo(PATH).at(-1);
  expect(call?.headers).toMatchObject({
    clientid: 'client-1',
    clientsecret: 'client-secret-1',
    'content-type': 'application/json',
  });
  expect(call?.body).toBe('{"token":"good.919812345678.1"}');
});

test.each([
  'unknown',
  'expired',
  'email',
  'email-of-digits',
  'unverified',
  'verified-in-words',
  'failed',
  'no-identities',
  'two-phones',
  'no-country-code',
  'not-digits',
])('otpless: the token "%s" is rejected', async (token) => {
  expect(await outcomeOf((await open()).verify(tokenOf(token)))).toEqual(REJECTED);
});

test.each(FAILURES)('otpless: the failure "%s" is 503, without a second request', async (token) => {
  const before = services.callsTo(PATH).length;
  expect(await outcomeOf((await open()).verify(tokenOf(token)))).toEqual(UNAVAILABLE);
  expect(services.callsTo(PATH).length - before).toBe(1);
  expect(services.callsTo(REDIRECTED_PATH)).toEqual([]);
});

test('otpless: an unreachable provider is 503', async () => {
  const unreachable = await open({ OTP_SERVICE_URL: 'http://127.0.0.1:1' });
  expect(await outcomeOf(unreachable.verify('good.919812345678.1'))).toEqual(UNAVAILABLE);
});

test('otpless: wrong credentials or a wrong URL are misconfigured', async () => {
  const secret = await open({ OTPLESS_CLIENT_SECRET: 'other' });
  expect(await outcomeOf(secret.verify('good.919812345678.1'))).toEqual(MISCONFIGURED);
  const address = await open({ OTP_SERVICE_URL: `${services.origin}/elsewhere` });
  expect(await outcomeOf(address.verify('good.919812345678.1'))).toEqual(MISCONFIGURED);
});
