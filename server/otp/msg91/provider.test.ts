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

const PATH = '/msg91/api/v5/widget/verifyAccessToken';

let standIn: StandIn;
beforeAll(async () => {
  standIn = await startStandIn();
});
afterAll(() => standIn.close());

const open = (environment: Record<string, string> = {}) =>
  openTestProvider({ ...standIn.environment.msg91, ...environment });

test('the page is told the widget and its public token; the key of the account stays here', () => {
  const { client, origins } = open();
  expect(client).toEqual({
    kind: 'msg91',
    scriptUrl: `${standIn.origin}/msg91/otp-provider.js`,
    configuration: { widgetId: 'widget-1', tokenAuth: 'token-auth-1' },
  });
  expect(origins).toEqual([
    standIn.origin,
    'https://verify.msg91.com',
    'https://control.msg91.com',
  ]);
});

test('a success names the phone, asked for with the key in the body', async () => {
  expect(await open().verify('good.919812345678.1')).toBe('+919812345678');
  expect(JSON.parse(standIn.callsTo(PATH).at(-1)?.body ?? '')).toEqual({
    authkey: 'auth-key-1',
    'access-token': 'good.919812345678.1',
  });
});

test('a token that was verified before (code 702) signs nobody in', async () => {
  const provider = open();
  expect(await provider.verify('good.919812345678.2')).toBe('+919812345678');
  expect(await endOf(provider.verify('good.919812345678.2'))).toEqual(REFUSED);
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
  expect(await endOf(open().verify(token))).toEqual(REFUSED);
});

test.each(['number', 'failed'])('an answer of another kind (%s) signs nobody in', async (token) => {
  expect(await endOf(open().verify(token))).toMatchObject({
    status: expect.toSatisfy((status: number) => status === 403 || status === 503),
  });
});

test.each(BROKEN_ROWS)('an answer that is %s: try again later, asked once', async (token) => {
  const before = standIn.callsTo(PATH).length;
  expect(await endOf(open().verify(token))).toEqual(UNAVAILABLE);
  expect(standIn.callsTo(PATH).length - before).toBe(1);
  expect(standIn.callsTo(REDIRECTED_PATH)).toEqual([]);
});

test('a wrong key, told by status 200, is ours to mend', async () => {
  const provider = open({ MSG91_AUTH_KEY: 'other' });
  expect(await endOf(provider.verify('good.919812345678.3'))).toEqual(MISCONFIGURED);
});
