import { expect, test } from 'vitest';

import type { ThirdPartyName } from '#server/settings/login-table.ts';
import { FAILURES, REDIRECTED_PATH } from '#tests/support/fake-services.ts';
import {
  MISCONFIGURED,
  openTestProvider,
  outcomeOf,
  REJECTED,
  sentencesOf,
  tokenOf,
  UNAVAILABLE,
  useFakeServices,
} from '#tests/support/third-party.ts';
import { words } from '#tests/support/words.ts';

import { embeddedProvider } from './providers.ts';

const services = useFakeServices();
const open = (name: ThirdPartyName, environment: Record<string, string> = {}) =>
  openTestProvider({ ...services.environment[name], ...environment });

const PAGES: Record<ThirdPartyName, [script: string, configuration: object, origins: string]> = {
  otpless: ['/otpless/v4/auth.js', { appId: 'app-1' }, 'https://otpless.com https://*.otpless.app'],
  msg91: [
    '/msg91/otp-provider.js',
    { widgetId: 'widget-1', tokenAuth: 'token-auth-1' },
    'https://verify.msg91.com https://control.msg91.com',
  ],
};

test.each(['otpless', 'msg91'] as const)('provider %s: what the page gets', async (name) => {
  const [script, configuration, vendor] = PAGES[name];
  const { client, origins } = open(name);
  expect(client).toEqual({ kind: name, scriptUrl: services.origin + script, configuration });
  expect(origins).toEqual([services.origin, ...words(vendor)]);
});

const VERIFY_PATHS = [
  ['otpless', '/otpless/auth/v1/validate/token'],
  ['msg91', '/msg91/api/v5/widget/verifyAccessToken'],
] as const;

test.each(VERIFY_PATHS)('provider %s: each failure is 503, asked once', async (name, path) => {
  const provider = open(name);
  const sent = services.callsTo(path).length;
  for (const failure of FAILURES) {
    const outcome = await outcomeOf(provider.verify(tokenOf(failure)));
    expect([failure, outcome]).toEqual([failure, UNAVAILABLE]);
  }
  expect(services.callsTo(path)).toHaveLength(sent + FAILURES.length);
  expect(services.callsTo(REDIRECTED_PATH)).toEqual([]);
  const verifyAt = async (OTP_SERVICE_URL: string) => {
    const other = open(name, { OTP_SERVICE_URL });
    return outcomeOf(other.verify(tokenOf('good')));
  };
  expect(await verifyAt('http://127.0.0.1:1')).toEqual(UNAVAILABLE);
  expect(await verifyAt(`${services.origin}/elsewhere`)).toEqual(MISCONFIGURED);
});

async function verifyWith(name: ThirdPartyName, status: number, content: unknown) {
  const httpClient = async () => ({ status, content });
  const provider = openTestProvider(services.environment[name], httpClient);
  return provider.verify(tokenOf('any'));
}

test('msg91: returns the phone of a success, once; the key is in the body', async () => {
  const provider = open('msg91');
  const token = 'good.919812345678.1';
  expect(await provider.verify(token)).toBe('+919812345678');
  const call = services.calls.at(-1);
  expect(call?.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(JSON.parse(call?.body ?? '')).toEqual({ authkey: 'auth-key-1', 'access-token': token });
  // MSG91 answers with code 702 for a token that was verified before.
  expect(await outcomeOf(provider.verify(token))).toEqual(REJECTED);
});

const msg91Success = (message: unknown) => ({ type: 'success', message });

test.each([
  [401, {}, MISCONFIGURED],
  [403, null, MISCONFIGURED],
  [404, 'Not found', MISCONFIGURED],
  [500, msg91Success('919876543210'), UNAVAILABLE],
  [200, null, UNAVAILABLE],
  [200, msg91Success(919_876_543_210), REJECTED],
  [200, { type: 'failed', message: '919876543210' }, UNAVAILABLE],
  [200, { type: 'error', message: 'Unauthorized', code: 207 }, MISCONFIGURED],
  [200, { type: 'error', message: 'IP is not whitelisted', code: '418' }, MISCONFIGURED],
  [200, { type: 'error', message: 'access-token expired', code: 703 }, REJECTED],
  [200, { type: 'error', message: '919876543210', code: 704 }, REJECTED],
  [200, msg91Success('9876543210'), REJECTED],
])('msg91: status %j with %j is an error', async (status, content, outcome) => {
  expect(await outcomeOf(verifyWith('msg91', status, content))).toEqual(outcome);
});

test('otpless: returns the verified mobile; the credentials are in the headers', async () => {
  expect(await open('otpless').verify('good.919812345678.1')).toBe('+919812345678');
  const credentials = { clientid: 'client-1', clientsecret: 'client-secret-1' };
  expect(services.calls.at(-1)).toMatchObject({
    headers: { ...credentials, 'content-type': 'application/json' },
    body: '{"token":"good.919812345678.1"}',
  });
});

const OTPLESS_SETTINGS = 'check OTPLESS_CLIENT_ID, OTPLESS_CLIENT_SECRET and OTP_SERVICE_URL.';
const MOBILE = { identityType: 'MOBILE', identityValue: '919876543210', verified: true };
const EMAIL = { ...MOBILE, identityType: 'EMAIL' };
const otplessSuccess = (...identities: object[]) => ({ status: 'SUCCESS', identities });

test.each([
  [200, otplessSuccess({ ...EMAIL, identityValue: 'a@b.example' }), REJECTED],
  [200, otplessSuccess(EMAIL, { ...MOBILE, verified: false }), REJECTED],
  [200, otplessSuccess({ ...MOBILE, verified: 'true' }), REJECTED],
  [200, { ...otplessSuccess(MOBILE), status: 'FAILED' }, REJECTED],
  [200, { status: 'SUCCESS' }, REJECTED],
  [200, otplessSuccess(MOBILE, { ...MOBILE, identityValue: '919876543211' }), REJECTED],
  // The same phone twice is one phone.
  [200, otplessSuccess(MOBILE, MOBILE), '+919876543210'],
  [200, otplessSuccess({ ...MOBILE, identityValue: '9876543210' }), REJECTED],
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
  expect(await outcomeOf(verifyWith('otpless', status, content))).toEqual(outcome);
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
  expect(await sentencesOf(verifyWith('otpless', 401, { errorCode }))).toMatchObject({
    cause: `OTPless rejects this service (status 401, errorCode ${logged}): ${OTPLESS_SETTINGS}`,
  });
});

const NOT_SET_UP = "Signing in isn't set up yet. Try again later.";
const NOT_NOW = "You can't sign in right now. Try again in a moment.";

test.each([
  [
    'msg91',
    { MSG91_AUTH_KEY: 'other' },
    'good',
    // MSG91 reports this error with status 200.
    'MSG91 rejects this service (status 200): check MSG91_AUTH_KEY, its allowed IP addresses, and OTP_SERVICE_URL.',
  ],
  ['msg91', {}, 'broken', 'MSG91 answered with status 500, unreadable.'],
  [
    'otpless',
    { OTPLESS_CLIENT_SECRET: 'other' },
    'good',
    `OTPless rejects this service (status 401, errorCode none): ${OTPLESS_SETTINGS}`,
  ],
  ['otpless', {}, 'broken', 'OTPless answered with status 500.'],
  ['otpless', {}, 'html', 'OTPless sent an unknown response.'],
] as const)('provider %s: with %j the log has the reason of %s', async (...row) => {
  const [name, environment, token, cause] = row;
  const message = cause.includes('rejects') ? NOT_SET_UP : NOT_NOW;
  const provider = open(name, environment);
  expect(await sentencesOf(provider.verify(tokenOf(token)))).toEqual({ message, cause });
});

test.each<[string[], string, object?]>([
  [['IN'], "We'll text you a code. Indian numbers only.", { callingCode: '+91' }],
  [
    ['AE', 'GB', 'IN'],
    "We send codes to numbers from United Arab Emirates, United Kingdom, and India. No country code? We'll add +91.",
  ],
  [
    ['AE', 'GB'],
    "We send codes to numbers from United Arab Emirates and United Kingdom. No country code? We'll add +971.",
  ],
])('embedded provider: the hint names the countries %j', (countries, hint, code = {}) => {
  const settings = { otpAppId: 'a', otpCountries: countries, smsGateway: [] };
  const { client, origins } = embeddedProvider(settings);
  const configuration = { appId: 'a', hint, ...code };
  expect(client).toEqual({ kind: 'embedded', scriptUrl: '/otp/embedded.js', configuration });
  expect(origins).toEqual([]);
});
