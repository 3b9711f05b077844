import { afterAll, beforeAll, expect, test } from 'vitest';

import { BROKEN_ROWS, REDIRECTED_PATH } from '#tests/support/stand-in-rows.ts';
import { startStandIn } from '#tests/support/stand-in.ts';
import type { StandIn } from '#tests/support/stand-in.ts';
import {
  endOf,
  MISCONFIGURED,
  openTestProvider,
  REFUSED,
  UNAVAILABLE,
} from '#tests/support/third-party.ts';

const PATH = '/otpless/auth/v1/validate/token';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(() => standIn.close());

const open = (environment: Record<string, string> = {}) =>
  openTestProvider({ ...standIn.environment.otpless, ...environment });

test('the page is told where the script is and the application id, and nothing secret', () => {
  const { client, origins } = open();
  expect(client).toEqual({
    kind: 'otpless',
    scriptUrl: `${standIn.origin}/otpless/v4/auth.js`,
    configuration: { appId: 'app-1' },
  });
  expect(origins).toEqual([standIn.origin, 'https://otpless.com', 'https://*.otpless.app']);
});

test('a verified mobile is the phone, asked for with the credentials in the headers', async () => {
  expect(await open().verify('good.919812345678.1')).toBe('+919812345678');
  const call = standIn.callsTo(PATH).at(-1);
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
])('a token that is %s signs nobody in', async (token) => {
  expect(await endOf(open().verify(token))).toEqual(REFUSED);
});

test.each(BROKEN_ROWS)('an answer that is %s: try again later', async (token) => {
  const before = standIn.callsTo(PATH).length;
  expect(await endOf(open().verify(token))).toEqual(UNAVAILABLE);
  expect(standIn.callsTo(PATH).length - before).toBe(1);
  expect(standIn.callsTo(REDIRECTED_PATH)).toEqual([]);
});

test('a provider that is not there: try again later', async () => {
  const nowhere = open({ OTP_SERVICE_URL: 'http://127.0.0.1:1' });
  expect(await endOf(nowhere.verify('good.919812345678.1'))).toEqual(UNAVAILABLE);
});

test('wrong credentials and a wrong address are ours to mend', async () => {
  const secret = open({ OTPLESS_CLIENT_SECRET: 'other' });
  expect(await endOf(secret.verify('good.919812345678.1'))).toEqual(MISCONFIGURED);
  const address = open({ OTP_SERVICE_URL: `${standIn.origin}/elsewhere` });
  expect(await endOf(address.verify('good.919812345678.1'))).toEqual(MISCONFIGURED);
});

test('another spelling of a token is not even asked about', async () => {
  const before = standIn.calls.length;
  for (const token of ['good.919812345678.1 ', 'a b', '{"token":1}', 'eyJhIjoxfQ.e30.aGl', '']) {
    expect(await endOf(open().verify(token))).toEqual(REFUSED);
  }
  expect(standIn.calls.length).toBe(before);
});
