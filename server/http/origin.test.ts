import { expect, test } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';

/** Returns the og:url of a card page for a request, or the status of an error. */
async function pageUrl(environment: Record<string, string>, request: object) {
  const { database, dispose } = await openTestSqlite();
  const testApp = buildTestApp(database, { environment });
  const { _id } = await signInByApi(testApp);
  const page = await testApp.app.inject({ url: `/user/${_id}`, ...request });
  await dispose();
  const [, address = ''] = /property="og:url" content="([^"]*)"/.exec(page.body) ?? [];
  return address.replace(_id, '{id}') || page.statusCode;
}

const direct = { headers: { host: 'cards.example.com' }, remoteAddress: '192.0.2.1' };
const forwarded = {
  headers: { ...direct.headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'other.example' },
  remoteAddress: '192.0.2.1',
};

test('origin: is that of the request without PUBLIC_URL, where an invalid Host is 400', async () => {
  expect(await pageUrl({}, direct)).toBe('http://cards.example.com/user/{id}');
  expect(await pageUrl({}, { ...direct, headers: { host: 'a"><script>' } })).toBe(400);
});

test('origin: PUBLIC_URL has precedence over the headers of the request', async () => {
  const environment = { PUBLIC_URL: 'https://cards.example/', TRUST_PROXY: '192.0.2.1' };
  expect(await pageUrl(environment, direct)).toBe('https://cards.example/user/{id}');
  expect(await pageUrl(environment, forwarded)).toBe('https://cards.example/user/{id}');
});

test('origin: X-Forwarded headers count only from a trusted proxy', async () => {
  const listed = { TRUST_PROXY: '10.0.0.0/8, 192.0.2.1' };
  expect(await pageUrl(listed, forwarded)).toBe('https://other.example/user/{id}');
  const elsewhere = { TRUST_PROXY: '10.0.0.0/8' };
  expect(await pageUrl(elsewhere, forwarded)).toBe('http://cards.example.com/user/{id}');
  expect(await pageUrl({}, forwarded)).toBe('http://cards.example.com/user/{id}');
});

async function codesUntilRejected(
  environment: Record<string, string>,
  from: (index: number) => object,
) {
  const { database, dispose } = await openTestSqlite();
  const { app } = buildTestApp(database, { environment });
  let sent = 0;
  for (; sent < 110; sent += 1) {
    const phone = `98765${String(sent).padStart(5, '0')}`;
    const response = await app.inject({
      method: 'POST',
      url: '/api/otp/send',
      payload: { appId: 'tessera', phone },
      ...from(sent),
    });
    if (response.statusCode === 429) break;
  }
  await dispose();
  return sent;
}

const PROXY = '192.0.2.1';
const visitor = (index: number) => ({
  remoteAddress: PROXY,
  headers: { 'x-forwarded-for': `203.0.113.${index}` },
});
const spoofer = (index: number) => ({ ...visitor(index), remoteAddress: '198.51.100.9' });
/** A false X-Forwarded-For to which the proxy has added the real address. */
const spooferBehindProxy = (index: number) => ({
  remoteAddress: PROXY,
  headers: { 'x-forwarded-for': `203.0.113.${index}, 198.51.100.9` },
});

test('address limit: counts the visitor behind a trusted proxy, not the proxy', async () => {
  expect(await codesUntilRejected({ TRUST_PROXY: PROXY }, visitor)).toBe(110);
});

test('address limit: a false X-Forwarded-For does not avoid it', async () => {
  expect(await codesUntilRejected({ TRUST_PROXY: PROXY }, spoofer)).toBe(100);
  expect(await codesUntilRejected({}, spoofer)).toBe(100);
  expect(await codesUntilRejected({ TRUST_PROXY: PROXY }, spooferBehindProxy)).toBe(100);
});
