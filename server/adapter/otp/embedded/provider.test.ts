import { expect, test } from 'vitest';

import { fixedClock, useTestApp } from '#tests/support/app.ts';

import { embeddedProvider } from './provider.ts';

const { database } = useTestApp();
const openProvider = (countries: readonly string[]) =>
  embeddedProvider({ appId: 'a', countries }, { database, clock: fixedClock() });

test.each<[string[], string, object?]>([
  [['IN'], 'We text a code to Indian numbers.', { callingCode: '+91' }],
  [
    ['AE', 'GB', 'IN'],
    'Codes are sent to numbers of United Arab Emirates, United Kingdom, and India. Without a country code, +91 is assumed.',
  ],
  [
    ['AE', 'GB'],
    'Codes are sent to numbers of United Arab Emirates and United Kingdom. Without a country code, +971 is assumed.',
  ],
])('embedded provider: the hint names the countries %j', (countries, hint, code = {}) => {
  const { client, origins } = openProvider(countries);
  const configuration = { appId: 'a', hint, ...code };
  expect(client).toEqual({ kind: 'embedded', scriptUrl: '/otp/embedded.js', configuration });
  expect(origins).toEqual([]);
});
