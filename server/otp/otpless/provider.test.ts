import { expect, test } from 'vitest';

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

const SETTINGS = 'check OTPLESS_CLIENT_ID, OTPLESS_CLIENT_SECRET and OTP_SERVICE_URL.';
const PATH = '/otpless/auth/v1/validate/token';

const services = useFakeServices();

const open = (environment: Record<string, string> = {}) =>
  openTestProvider({ ...services.environment.otpless, ...environment });

test('otpless: the page gets the script and the application id', async () => {
  expect(await open()).toMatchObject({
    client: {
      kind: 'otpless',
      scriptUrl: `${services.origin}/otpless/v4/auth.js`,
      configuration: { appId: 'app-1' },
    },
    origins: [services.origin, 'https://otpless.com', 'https://*.otpless.app'],
  });
});

test('otpless: returns the verified mobile; the credentials are in the headers', async () => {
  expect(await (await open()).verify('good.919812345678.1')).toBe('+919812345678');
  expect(services.callsTo(PATH).at(-1)).toMatchObject({
    headers: {
      clientid: 'client-1',
      clientsecret: 'client-secret-1',
      'content-type': 'application/json',
    },
    body: '{"token":"good.919812345678.1"}',
  });
});

async function verifyWith(status: number, content: unknown) {
  const httpClient = async () => ({ status, content });
  const provider = await openTestProvider(services.environment.otpless, { httpClient });
  return provider.verify(tokenOf('any'));
}

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
  // The same phone twice is one phone.
  [200, success(MOBILE, MOBILE), '+919876543210'],
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
])('otpless: the outcome of status %j with %j', async (status, content, outcome) => {
  expect(await outcomeOf(verifyWith(status, content))).toEqual(outcome);
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

test('otpless: wrong credentials are misconfigured, and the log has the reasons', async () => {
  const provider = await open({ OTPLESS_CLIENT_SECRET: 'other' });
  expect(await outcomeOf(provider.verify(tokenOf('good')))).toEqual(MISCONFIGURED);
  expect(await sentencesOf(provider.verify(tokenOf('good')))).toEqual({
    message: 'Signing in is not set up yet. Try again later.',
    cause: `OTPless rejects this service (status 401, errorCode none): ${SETTINGS}`,
  });
  const right = await open();
  const message = 'Signing in is not possible right now. Try again.';
  for (const [name, cause] of [
    ['broken', 'OTPless answered with status 500.'],
    ['html', 'OTPless sent an unknown response.'],
  ] as const)
    expect(await sentencesOf(right.verify(tokenOf(name)))).toEqual({ message, cause });
});
