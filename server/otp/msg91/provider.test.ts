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

const PATH = '/msg91/api/v5/widget/verifyAccessToken';

const services = useFakeServices();

const open = (environment: Record<string, string> = {}) =>
  openTestProvider({ ...services.environment.msg91, ...environment });

test('msg91: the page gets the widget and its public token', async () => {
  expect(await open()).toMatchObject({
    client: {
      kind: 'msg91',
      scriptUrl: `${services.origin}/msg91/otp-provider.js`,
      configuration: { widgetId: 'widget-1', tokenAuth: 'token-auth-1' },
    },
    origins: [services.origin, 'https://verify.msg91.com', 'https://control.msg91.com'],
  });
});

test('msg91: returns the phone of a success, once; the key is in the body', async () => {
  const provider = await open();
  const token = 'good.919812345678.1';
  expect(await provider.verify(token)).toBe('+919812345678');
  const call = services.callsTo(PATH).at(-1);
  expect(call?.headers).toMatchObject({ 'content-type': 'application/json' });
  expect(JSON.parse(call?.body ?? '')).toEqual({ authkey: 'auth-key-1', 'access-token': token });
  // Code 702: a token that was verified before.
  expect(await outcomeOf(provider.verify(token))).toEqual(REJECTED);
});

async function verifyWith(status: number, content: unknown) {
  const httpClient = async () => ({ status, content });
  const provider = await openTestProvider(services.environment.msg91, { httpClient });
  return provider.verify(tokenOf('any'));
}

const success = (message: unknown) => ({ type: 'success', message });

test.each([
  [401, {}, MISCONFIGURED],
  [403, null, MISCONFIGURED],
  [404, 'Not found', MISCONFIGURED],
  [500, success('919876543210'), UNAVAILABLE],
  [200, null, UNAVAILABLE],
  [200, success(919_876_543_210), REJECTED],
  [200, { type: 'failed', message: '919876543210' }, UNAVAILABLE],
  [200, { type: 'error', message: 'access-token expired', code: 703 }, REJECTED],
  [200, { type: 'error', message: '919876543210', code: 704 }, REJECTED],
  [200, success('asha@example.com'), REJECTED],
  [200, success('9876543210'), REJECTED],
  [200, success('29051234'), REJECTED],
  [200, success('9198765432109876'), REJECTED],
  [200, success('1415555267'), REJECTED],
  [200, success('x919876543210'), REJECTED],
  [200, success('919876543210x'), REJECTED],
])('msg91: status %j with %j is an error', async (status, content, outcome) => {
  expect(await outcomeOf(verifyWith(status, content))).toEqual(outcome);
});

test('msg91: a rejected key, with status 200, is misconfigured, and the log has the reasons', async () => {
  const provider = await open({ MSG91_AUTH_KEY: 'other' });
  const token = 'good.919812345678.3';
  expect(await outcomeOf(provider.verify(token))).toEqual(MISCONFIGURED);
  expect(await sentencesOf(provider.verify(token))).toEqual({
    message: 'Signing in is not set up yet. Try again later.',
    cause: 'MSG91 rejects this service (status 200): check MSG91_AUTH_KEY and OTP_SERVICE_URL.',
  });
  expect(await sentencesOf((await open()).verify(tokenOf('broken')))).toEqual({
    message: 'Signing in is not possible right now. Try again.',
    cause: 'MSG91 answered with status 500, unreadable.',
  });
});
