import { expect, test } from 'vitest';

import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';

/** The address that a card page says it has, to somebody who comes with these headers. */
async function addressInPage(environment: Record<string, string>, request: object) {
  const { database, dispose } = await openTestSqlite();
  const whole = buildTestApp(database, { environment });
  const { _id } = await signInByApi(whole);
  const page = await whole.app.inject({ url: `/user/${_id}`, ...request });
  await dispose();
  const [, address = ''] = /property="og:url" content="([^"]*)"/.exec(page.body) ?? [];
  return address.replace(_id, '{id}') || page.statusCode;
}

const direct = { headers: { host: 'cards.example.com' }, remoteAddress: '192.0.2.1' };
const forwarded = {
  headers: { ...direct.headers, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'other.example' },
  remoteAddress: '192.0.2.1',
};

test('links have the origin that the request came to', async () => {
  expect(await addressInPage({}, direct)).toBe('http://cards.example.com/user/{id}');
});

test('with PUBLIC_URL links have that one, whatever the request says', async () => {
  const environment = { PUBLIC_URL: 'https://cards.example/', TRUST_PROXY: '192.0.2.1' };
  expect(await addressInPage(environment, direct)).toBe('https://cards.example/user/{id}');
  expect(await addressInPage(environment, forwarded)).toBe('https://cards.example/user/{id}');
});

test('a proxy that is listed says which origin it was; a stranger who says so is not believed', async () => {
  const listed = { TRUST_PROXY: '10.0.0.0/8, 192.0.2.1' };
  expect(await addressInPage(listed, forwarded)).toBe('https://other.example/user/{id}');
  const elsewhere = { TRUST_PROXY: '10.0.0.0/8' };
  expect(await addressInPage(elsewhere, forwarded)).toBe('http://cards.example.com/user/{id}');
  expect(await addressInPage({}, forwarded)).toBe('http://cards.example.com/user/{id}');
});

test('a Host header that names no host is refused, and its words are in no page', async () => {
  const strange = { ...direct, headers: { host: 'a"><script>' } };
  expect(await addressInPage({}, strange)).toBe(400);
});

/** How many codes phones behind these addresses get until the address's limit refuses one. */
async function codesUntilRefused(
  environment: Record<string, string>,
  from: (at: number) => object,
) {
  const { database, dispose } = await openTestSqlite();
  const { app } = buildTestApp(database, { environment });
  let sent = 0;
  for (; sent < 110; sent += 1) {
    const phone = `98765${String(sent).padStart(5, '0')}`;
    const answer = await app.inject({
      method: 'POST',
      url: '/api/otp/send',
      payload: { appId: 'tessera', phone },
      ...from(sent),
    });
    if (answer.statusCode === 429) break;
  }
  await dispose();
  return sent;
}

const PROXY = '192.0.2.1';
const visitor = (at: number) => ({
  remoteAddress: PROXY,
  headers: { 'x-forwarded-for': `203.0.113.${at}` },
});
const liar = (at: number) => ({ ...visitor(at), remoteAddress: '198.51.100.9' });
/** A liar's line, to which the proxy has added the true address. */
const liarThrough = (at: number) => ({
  remoteAddress: PROXY,
  headers: { 'x-forwarded-for': `203.0.113.${at}, 198.51.100.9` },
});

test('limits by address count the visitor behind a listed proxy, not the proxy', async () => {
  expect(await codesUntilRefused({ TRUST_PROXY: PROXY }, visitor)).toBe(110);
});

test('who is not a listed proxy cannot talk itself out of a limit with X-Forwarded-For', async () => {
  expect(await codesUntilRefused({ TRUST_PROXY: PROXY }, liar)).toBe(100);
  expect(await codesUntilRefused({}, liar)).toBe(100);
  expect(await codesUntilRefused({ TRUST_PROXY: PROXY }, liarThrough)).toBe(100);
});
