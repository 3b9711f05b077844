import { afterAll, beforeAll, expect, test } from 'vitest';

import { fixedClock } from '#tests/support/app.ts';
import { FAILURES, REDIRECTED_PATH } from '#tests/support/fake-failures.ts';
import { startFakeServices } from '#tests/support/fake-services.ts';
import type { FakeServices } from '#tests/support/fake-services.ts';
import {
  outcomeOf,
  MISCONFIGURED,
  openTestProvider,
  REJECTED,
  sentencesOf,
  tokenOf,
  UNAVAILABLE,
} from '#tests/support/third-party.ts';

import { openProvider } from './provider.ts';

const SETTINGS = 'check OTPLESS_CLIENT_ID, OTPLESS_CLIENT_SECRET and OTP_SERVICE_URL.';
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

test.each([
  ['broken', 'OTPless answered with status 500.'],
  ['html', 'OTPless sent an unknown response.'],
])('otpless: the log has the reason of the failure "%s"', async (token, cause) => {
  expect(await sentencesOf((await open()).verify(tokenOf(token)))).toEqual({
    message: 'Signing in is not possible right now. Try again.',
    cause,
  });
});

const verifyWith = (status: number, content: unknown) =>
  openProvider(
    {
      appId: 'app-1',
      scriptUrl: '',
      serviceUrl: '',
      origins: [],
      keys: { OTPLESS_CLIENT_ID: 'id', OTPLESS_CLIENT_SECRET: 'secret' },
    },
    { httpClient: async () => ({ status, content }), clock: fixedClock() },
  ).verify(tokenOf('any'));

test.each([
  [400, { errorCode: '7114' }, REJECTED],
  [400, {}, UNAVAILABLE],
  [401, { errorCode: '7301' }, REJECTED],
  [401, { errorCode: '7302' }, MISCONFIGURED],
  [403, { errorCode: '7301' }, MISCONFIGURED],
  [404, null, MISCONFIGURED],
  [500, { errorCode: '7301' }, UNAVAILABLE],
  [200, { status: 'SUCCESS', identities: 'none' }, UNAVAILABLE],
  [200, { identities: [] }, UNAVAILABLE],
])('otpless: status %j with %j is an error', async (status, content, outcome) => {
  expect(await outcomeOf(verifyWith(status, content))).toEqual(outcome);
});

test('otpless: the same verified phone twice is one phone', async () => {
  const identity = { identityType: 'MOBILE', identityValue: '919876543210', verified: true };
  const content = { status: 'SUCCESS', identities: [identity, identity] };
  expect(await verifyWith(200, content)).toBe('+919876543210');
});

test.each([
  [7302, '7302'],
  ['a-b_'.repeat(4), 'a-b_'.repeat(4)],
  ['x'.repeat(17), 'unknown'],
  ['', 'unknown'],
  ['x\ny', 'unknown'],
  ['<x', 'unknown'],
  ['x>', 'unknown'],
])('otpless: the error code %j is %j in the log', async (errorCode, logged) => {
  expect(await sentencesOf(verifyWith(401, { errorCode }))).toMatchObject({
    cause: `OTPless rejects this service (status 401, errorCode ${logged}): ${SETTINGS}`,
  });
});

test('otpless: wrong credentials or a wrong URL are misconfigured', async () => {
  const secret = await open({ OTPLESS_CLIENT_SECRET: 'other' });
  expect(await outcomeOf(secret.verify('good.919812345678.1'))).toEqual(MISCONFIGURED);
  expect(await sentencesOf(secret.verify('good.919812345678.1'))).toEqual({
    message: 'Signing in is not set up yet. Try again later.',
    cause: `OTPless rejects this service (status 401, errorCode none): ${SETTINGS}`,
  });
  const address = await open({ OTP_SERVICE_URL: `${services.origin}/elsewhere` });
  expect(await outcomeOf(address.verify('good.919812345678.1'))).toEqual(MISCONFIGURED);
});
