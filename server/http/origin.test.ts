import { expect, test } from 'vitest';

import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { phoneOf } from '#tests/support/codes.ts';
import { openTestSqlite } from '#tests/support/database.ts';

const { database, testApp } = useTestApp();
const owner = useOwner(testApp);

const PROXY = '192.0.2.1';
const DIRECT = { host: 'cards.example.com' };
const FORWARDED = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'other.example', ...DIRECT };
const PUBLIC = { PUBLIC_URL: 'https://cards.example/', TRUST_PROXY: PROXY };

/** The start of og:url, or the status of an error. */
test.each<[string, Record<string, string>, Record<string, string>, string | number]>([
  ['that of the request', {}, DIRECT, 'http://cards.example.com'],
  ['none for an invalid Host', {}, { host: 'a"><script>' }, 400],
  ['PUBLIC_URL', PUBLIC, DIRECT, 'https://cards.example'],
  ['PUBLIC_URL', PUBLIC, FORWARDED, 'https://cards.example'],
  [
    'a trusted proxy’s',
    { TRUST_PROXY: `10.0.0.0/8, ${PROXY}` },
    FORWARDED,
    'https://other.example',
  ],
  ['no stranger’s', { TRUST_PROXY: '10.0.0.0/8' }, FORWARDED, 'http://cards.example.com'],
  ['no stranger’s', {}, FORWARDED, 'http://cards.example.com'],
])('origin: is %s, with %j and %j', async (_, environment, headers, expected) => {
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
  ['each visitor behind a trusted proxy', PROXY, PROXY, claimed, ATTEMPTS],
  ['a stranger who sends X-Forwarded-For', PROXY, SPOOFER, claimed, CODES_PER_HOUR],
  ['a stranger without a proxy', '', SPOOFER, claimed, CODES_PER_HOUR],
  // The proxy has added the real address.
  [
    'a visitor whose X-Forwarded-For is false',
    PROXY,
    PROXY,
    (index: number) => `${claimed(index)}, ${SPOOFER}`,
    CODES_PER_HOUR,
  ],
])('address limit: counts %s', async (_, trusted, remoteAddress, forwardedFor, expected) => {
  const { app } = buildTestApp((await openTestSqlite()).database, {
    environment: { TRUST_PROXY: trusted, LIMIT_CODES_PER_HOUR: String(CODES_PER_HOUR) },
  });
  const statuses = [];
  for (let index = 0; index < ATTEMPTS; index += 1) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/api/otp/send',
      payload: { appId: 'tessera', phone: phoneOf(index) },
      remoteAddress,
      headers: { 'x-forwarded-for': forwardedFor(index) },
    });
    statuses.push(statusCode);
  }
  expect(statuses.filter((status) => status === 200)).toHaveLength(expected);
});
