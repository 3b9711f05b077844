import { expect, test } from 'vitest';

import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { phoneOf } from '#tests/support/codes.ts';

const { database, testApp } = useTestApp();
const owner = useOwner(testApp);

const PROXY = '192.0.2.1';
const DIRECT = { host: 'cards.example.com' };
const FORWARDED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'other.example', ...DIRECT };
const PUBLIC = { PUBLIC_URL: 'https://cards.example/', TRUST_PROXY: PROXY };

/** Without PUBLIC_URL that of the request; an invalid Host is 400, and a stranger's header ignored. */
test.each<[Record<string, string>, Record<string, string>, string | number]>([
  [{}, DIRECT, 'http://cards.example.com'],
  [{}, { host: 'a"><script>' }, 400],
  [PUBLIC, DIRECT, 'https://cards.example'],
  [PUBLIC, FORWARDED, 'https://cards.example'],
  [{ TRUST_PROXY: `10.0.0.0/8, ${PROXY}` }, FORWARDED, 'https://other.example'],
  [{ TRUST_PROXY: '10.0.0.0/8' }, FORWARDED, 'http://cards.example.com'],
  [{}, FORWARDED, 'http://cards.example.com'],
])('origin: with %j a page for %j is of %s', async (environment, headers, expected) => {
  const url = `/user/${owner._id}`;
  const { app } = buildTestApp(database, { environment });
  const page = await app.inject({ url, headers, remoteAddress: PROXY });
  const [, address = ''] = /property="og:url" content="([^"]*)"/.exec(page.body) ?? [];
  expect(address.replace(url, '') || page.statusCode).toBe(expected);
});

const CODES_PER_HOUR = 5;
const ATTEMPTS = CODES_PER_HOUR + 3;
const SPOOFER = '198.51.100.9';
const claimed = (index: number) => `203.0.113.${index}`;

test.each([
  ['visitors behind a trusted proxy', PROXY, PROXY, claimed, ATTEMPTS],
  ['a stranger who claims others', PROXY, SPOOFER, claimed, CODES_PER_HOUR],
  ['a stranger without a proxy', '', SPOOFER, claimed, CODES_PER_HOUR],
  // To whose X-Forwarded-For the proxy has added the real address.
  ['a spoofer', PROXY, PROXY, (at: number) => `${claimed(at)}, ${SPOOFER}`, CODES_PER_HOUR],
] as const)('address limit: counts %s', async (...row) => {
  const [, TRUST_PROXY, remoteAddress, forwardedFor, expected] = row;
  const environment = { TRUST_PROXY, LIMIT_CODES_PER_HOUR: String(CODES_PER_HOUR) };
  const { app } = buildTestApp(database, { environment });
  const statuses = [];
  for (let index = 0; index < ATTEMPTS; index += 1) {
    const payload = { appId: 'tessera', phone: phoneOf(index) };
    const call = { method: 'POST', url: '/api/otp/send', payload, remoteAddress } as const;
    const headers = { 'x-forwarded-for': forwardedFor(index) };
    statuses.push((await app.inject({ ...call, headers })).statusCode);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(expected);
});
