import { expect, test } from 'vitest';

import { buildTestApp, useOwner, useTestApp } from '#tests/support/app.ts';
import { phoneOf } from '#tests/support/codes.ts';
import { openTestSqlite } from '#tests/support/database.ts';

const { database, testApp } = useTestApp();
const owner = useOwner(testApp);

/** Returns the og:url of a card page for a request, or the status of an error. */
async function pageUrl(environment: Record<string, string>, request: object) {
  const { app } = buildTestApp(database, { environment });
  const page = await app.inject({ url: `/user/${owner._id}`, ...request });
  const [, address = ''] = /property="og:url" content="([^"]*)"/.exec(page.body) ?? [];
  return address.replace(owner._id, '{id}') || page.statusCode;
}

const PROXY = '192.0.2.1';
const direct = { headers: { host: 'cards.example.com' }, remoteAddress: PROXY };
const forwarded = {
  headers: { ...direct.headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'other.example' },
  remoteAddress: PROXY,
};

test('origin: is that of the request without PUBLIC_URL, where an invalid Host is 400', async () => {
  expect(await pageUrl({}, direct)).toBe('http://cards.example.com/user/{id}');
  expect(await pageUrl({}, { ...direct, headers: { host: 'a"><script>' } })).toBe(400);
});

test('origin: PUBLIC_URL has precedence over the headers of the request', async () => {
  const environment = { PUBLIC_URL: 'https://cards.example/', TRUST_PROXY: PROXY };
  expect(await pageUrl(environment, direct)).toBe('https://cards.example/user/{id}');
  expect(await pageUrl(environment, forwarded)).toBe('https://cards.example/user/{id}');
});

test('origin: X-Forwarded headers count only from a trusted proxy', async () => {
  const listed = { TRUST_PROXY: `10.0.0.0/8, ${PROXY}` };
  expect(await pageUrl(listed, forwarded)).toBe('https://other.example/user/{id}');
  const elsewhere = { TRUST_PROXY: '10.0.0.0/8' };
  expect(await pageUrl(elsewhere, forwarded)).toBe('http://cards.example.com/user/{id}');
  expect(await pageUrl({}, forwarded)).toBe('http://cards.example.com/user/{id}');
});

const claimed = (index: number) => `203.0.113.${index}`;
const CODES_PER_HOUR = 5;
const ATTEMPTS = CODES_PER_HOUR + 3;

/** Sends codes to as many phones from an address with X-Forwarded-For; returns how many are sent. */
async function codesSent(
  environment: Record<string, string>,
  address: string,
  forwardedFor: (index: number) => string,
) {
  const { app } = buildTestApp((await openTestSqlite()).database, {
    environment: { ...environment, LIMIT_CODES_PER_HOUR: String(CODES_PER_HOUR) },
  });
  let sent = 0;
  for (let index = 0; index < ATTEMPTS; index += 1) {
    const { statusCode } = await app.inject({
      method: 'POST',
      url: '/api/otp/send',
      payload: { appId: 'tessera', phone: phoneOf(index) },
      remoteAddress: address,
      headers: { 'x-forwarded-for': forwardedFor(index) },
    });
    if (statusCode === 200) sent += 1;
  }
  return sent;
}

test('address limit: counts the visitor behind a trusted proxy, whom a false X-Forwarded-For does not hide', async () => {
  const proxied = { TRUST_PROXY: PROXY };
  const spoofer = '198.51.100.9';
  expect(await codesSent(proxied, PROXY, claimed)).toBe(ATTEMPTS);
  expect(await codesSent(proxied, spoofer, claimed)).toBe(CODES_PER_HOUR);
  expect(await codesSent({}, spoofer, claimed)).toBe(CODES_PER_HOUR);
  // The proxy has added the real address.
  const added = (index: number) => `${claimed(index)}, ${spoofer}`;
  expect(await codesSent(proxied, PROXY, added)).toBe(CODES_PER_HOUR);
});
