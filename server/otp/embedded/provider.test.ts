import { expect, test } from 'vitest';

import { fixedClock } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { outcomeOf, REJECTED } from '#tests/support/third-party.ts';

import { embeddedProvider } from './provider.ts';
import { saveTokenStatement } from './store.ts';

async function openProvider(countries: readonly string[]) {
  const { database } = await openTestSqlite();
  const provider = embeddedProvider({ appId: 'a', countries }, { database, clock: fixedClock() });
  return { provider, database };
}

test.each([
  [['IN'], 'India.', { callingCode: '+91' }],
  [
    ['AE', 'GB', 'IN'],
    'United Arab Emirates, United Kingdom, and India. Without a country code, +91 is assumed.',
    {},
  ],
  [
    ['AE', 'GB'],
    'United Arab Emirates and United Kingdom. Without a country code, +971 is assumed.',
    {},
  ],
])('embedded provider: the hint names the countries %j', async (countries, names, code) => {
  const { provider } = await openProvider(countries);
  const hint = `Codes are sent to numbers of ${names}`;
  expect(provider.client).toEqual({
    kind: 'embedded',
    scriptUrl: '/otp/embedded.js',
    configuration: { appId: 'a', hint, ...code },
  });
  expect(provider.origins).toEqual([]);
});

test('embedded provider: verifies its own tokens only', async () => {
  const { provider, database } = await openProvider(['IN']);
  const now = fixedClock().now();
  await database.batch([saveTokenStatement({ token: 't', phone: '+91', now })]);
  expect(await provider.verify('t')).toBe('+91');
  expect(await outcomeOf(provider.verify('u'))).toEqual(REJECTED);
});
