import { expect, test } from 'vitest';

import { fixedClock } from '#tests/support/app.ts';
import { FAILURES, REDIRECTED_PATH } from '#tests/support/fake-failures.ts';
import {
  outcomeOf,
  MISCONFIGURED,
  openTestProvider,
  REJECTED,
  sentencesOf,
  tokenOf,
  UNAVAILABLE,
  useFakeServices,
} from '#tests/support/third-party.ts';

import { openProvider } from './provider.ts';

const SETTINGS = 'check OTPLESS_CLIENT_ID, OTPLESS_CLIENT_SECRET and OTP_SERVICE_URL.';
const PATH = '/otpless/auth/v1/validate/token';

const services = useFakeServices();

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

const MOBILE = { identityType: 'MOBILE', identityValue: '919876543210', verified: true };
const success = (...identities: object[]) => ({ status: 'SUCCESS', identities });

test.each([
  [200, success({ ...MOBILE, identityType: 'EMAIL', identityValue: 'a@b.example' }), REJECTED],
  [200, success({ ...MOBILE, identityType: 'EMAIL' }, { ...MOBILE, verified: false }), REJECTED],
  [200, success({ ...MOBILE, verified: false }), REJECTED],
  [200, success({ ...MOBILE, verified: 'true' }), REJECTED],
  [200, { ...success(MOBILE), status: 'FAILED' }, REJECTED],
  [200, { status: 'SUCCESS' }, REJECTED],
  [200, success(MOBILE, { ...MOBILE, identityValue: '919876543211' }), REJECTED],
  [200, success({ ...MOBILE, identityValue: '9876543210' }), REJECTED],
  [200, success({ ...MOBILE, identityValue: '91<script>9876543210' }), REJECTED],
  [400, { errorCode: '7114' }, REJECTED],
  [401, { errorCode: 7301 }, REJECTED],
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
  expect(await verifyWith(200, success(MOBILE, MOBILE))).toBe('+919876543210');
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
