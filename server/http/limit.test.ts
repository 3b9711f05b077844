import { beforeEach, describe, expect, test, vi } from 'vitest';

import { LEAD_LENGTHS_MAX } from '#domain/lead-schema.ts';
import { signInByApi, useTestApp } from '#tests/support/app.ts';
import { statusOf } from '#tests/support/codes.ts';
import { openTestSqlite } from '#tests/support/database.ts';

import type { ApiError } from '#server/error.ts';

import { addressPrefixes } from '#server/http/proxy.ts';
import { ADDRESS_LIMITS, Limiter, MemoryRateLimit, createAddressLimits } from './limit.ts';

const KEYS_MAX = 100_000;
const READS_PER_MINUTE_MAX = 30;
const INVALID_PER_MINUTE_MAX = 12;
const [SMALL_MAX] = ADDRESS_LIMITS['invalid bodies of at most 2,048 bytes'];
const escapeUnit = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** Returns a function that counts one more call at a given time and returns the seconds to wait, or null. */
function createLimit(max: number) {
  const clock = { time: 0, now: () => clock.time };
  const limit = new MemoryRateLimit({ clock, max, windowMs: 10_000, message: 'Wait.' });
  return (key: string, now = 0) => {
    clock.time = now;
    const isReached = limit.isReached(key);
    try {
      limit.countOrThrow(key);
      expect(isReached).toBe(false);
      return null;
    } catch (error) {
      expect([isReached, (error as ApiError).code]).toEqual([true, 'too_many_requests']);
      expect(() => limit.check(key)).toThrow('Wait.');
      return (error as ApiError).retryAfterSeconds;
    }
  };
}

test.each([
  ['203.0.113.7', '203.0.113.7', null],
  ['::ffff:203.0.113.7', '203.0.113.7', null],
  ['0:0:0:0:0:FFFF:cb00:7107', '203.0.113.7', null],
  ['::ffff:7', '0:0:0:0::/64', '0:0:0::/48'],
  ['2001:DB8:5:1::1', '2001:db8:5:1::/64', '2001:db8:5::/48'],
  ['2001:0db8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64', '2001:db8:0::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['fe80::1%br-lan', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['::ffff:203.0.113.7%br-lan', '203.0.113.7', null],
  ['not an address', 'not an address', null],
])('address: %s counts as %s, in the /48 %s', (address, key, prefix48) => {
  expect(addressPrefixes(address)).toEqual({ prefix64: key, prefix48 });
});

test('memory rate limit: each key has its own limit in each window', () => {
  const count = createLimit(2);
  const waits = [0, 1, 2, 9001, 9999, 10_000, 10_001, 10_002].map((now) => count('a', now));
  expect(waits).toEqual([null, null, 10, 1, 1, null, null, 10]);
  expect([count('b', 10_002), count('a', 10_002)]).toEqual([null, 10]);
  // A clock that is set back ends the windows that it began in the future.
  const setBack = [30_003, 30_003, 30_003, 20_000].map((now) => count('c', now));
  expect(setBack).toEqual([null, null, 10, null]);
});

test('memory rate limit: with very many keys only the least recently used is evicted', () => {
  const limit = new MemoryRateLimit({ clock: { now: () => 0 }, max: 1, windowMs: 1000 });
  for (let n = 0; n <= KEYS_MAX; n += 1) limit.count(String(n));
  expect([limit.size, limit.count('1'), limit.count('0')]).toEqual([KEYS_MAX, false, true]);
});

test('invalid body rate limit: the length of a body decides which limit counts it', () => {
  const settings = { limitReadsPerMinute: 1, limitInvalidPerMinute: 2 };
  const { invalidBodyLimitOf } = createAddressLimits({ now: () => 0 }, settings);
  const address = '203.0.113.7';
  const bodies = ['0', '2048', '2049', undefined].map((length) => {
    return { headers: { 'content-length': length } };
  });
  const rejected = () =>
    bodies.flatMap((body) => {
      try {
        return invalidBodyLimitOf(body).check(address) ?? [];
      } catch {
        return [body.headers['content-length']];
      }
    });
  const [small, , large] = bodies;
  if (!small || !large) return;
  invalidBodyLimitOf(large).count(address);
  expect(rejected()).toEqual([]);
  invalidBodyLimitOf(large).count(address);
  expect(rejected()).toEqual(['2049', undefined]);
  for (let count = 1; count < SMALL_MAX; count += 1) invalidBodyLimitOf(small).count(address);
  expect(rejected()).toEqual(['2049', undefined]);
  invalidBodyLimitOf(small).count(address);
  expect(rejected()).toEqual(['0', '2048', '2049', undefined]);
});

describe('rate limits of an address', () => {
  const ADD_CONTACT = '/api/profile/addContact';
  const { testApp } = useTestApp(openTestSqlite, {
    environment: {
      LIMIT_INVALID_PER_MINUTE: String(INVALID_PER_MINUTE_MAX),
      LIMIT_READS_PER_MINUTE: String(READS_PER_MINUTE_MAX),
    },
  });
  let id: string;
  let parsed: number;

  beforeEach(async () => {
    testApp.app.addHook('preParsing', async () => void (parsed += 1));
    id = (await signInByApi(testApp))._id;
  });

  const post = (url: string, payload: object | string, remoteAddress = '203.0.113.7') => {
    const headers = { 'content-type': 'application/json' };
    return testApp.app.inject({ method: 'POST', url, payload, remoteAddress, headers });
  };

  test('invalid bodies: an address has its limit a minute for all open calls together', async () => {
    const hostileName = '\u0315\u0300'.repeat(3000);
    const invalid = [
      [400, ADD_CONTACT, { userID: id, contact: { name: hostileName, mobile: '1' } }],
      [400, ADD_CONTACT, '{"contact":'.padEnd(2049)],
      [400, '/api/otp/send', { appId: 'tessera', more: 'x'.repeat(2048) }],
      [413, '/api/otp/verify', { challenge: 'x'.repeat(60_000), code: '' }],
    ] as const;
    const contact = { userID: id, contact: { name: 'Ravi', mobile: '1' } };
    // Valid bodies do not count, even those that robots send.
    for (let count = 0; count < INVALID_PER_MINUTE_MAX + 5; count += 1)
      expect((await post(ADD_CONTACT, { ...contact, website: 'x' })).statusCode).toBe(200);
    for (let round = 0; round < INVALID_PER_MINUTE_MAX / invalid.length; round += 1)
      for (const [status, url, payload] of invalid)
        expect(await statusOf(post(url, payload))).toBe(status);
    parsed = 0;
    const message = 'Too many invalid requests. Try again in a minute.';
    for (const [, url, payload] of invalid) {
      const answer = post(url, payload);
      expect(await statusOf(answer)).toBe('429 after 60 s');
      expect((await answer).json()).toEqual({ error: 'too_many_requests', message });
    }
    expect(parsed).toBe(0);
    // One phone in a hall does not silence the others behind its IP address.
    expect((await post(ADD_CONTACT, contact)).statusCode).toBe(200);
    expect((await post('/api/otp/send', { appId: 'tessera' })).statusCode).toBe(400);
    expect((await post(ADD_CONTACT, { ...contact, website: 'x'.repeat(2048) })).statusCode).toBe(
      429,
    );
    expect((await post(ADD_CONTACT, contact, '198.51.100.9')).statusCode).toBe(200);
    expect((await testApp.app.inject(`/user/${id}`)).statusCode).toBe(200);
    testApp.clock.advance(60_000);
    expect((await post(ADD_CONTACT, '{}'.padEnd(2049))).statusCode).toBe(400);
  });

  test('invalid bodies: one above 16 KiB is not parsed', async () => {
    const parse = vi.spyOn(JSON, 'parse');
    const statuses = [];
    for (const length of [16 * 1024 + 1, 16 * 1024])
      statuses.push((await post(ADD_CONTACT, '{}'.padEnd(length))).statusCode);
    const sizes = parse.mock.calls.map(([text]) => text.length);
    parse.mockRestore();
    expect([statuses, sizes]).toEqual([[413, 400], [16 * 1024]]);
  });

  test('open calls: the longest contact, decomposed and escaped, is accepted', async () => {
    const letter = String.fromCodePoint(0x1f82).normalize('NFD');
    const texts = Object.entries(LEAD_LENGTHS_MAX).map(([name, max]) => [name, letter.repeat(max)]);
    const body = JSON.stringify({ userID: id, contact: Object.fromEntries(texts) });
    const payload = body.replace(/[^ -~]/g, escapeUnit);
    expect((await post(ADD_CONTACT, payload)).statusCode).toBe(200);
  });

  const read = async (method: 'GET' | 'HEAD', url: string, remoteAddress: string) =>
    (await testApp.app.inject({ method, url, remoteAddress })).statusCode;

  test('read rate limit: counts every spelling of a path and an address, and HEAD; another case is no card', async () => {
    const escaped = `%${id.charCodeAt(0).toString(16)}${id.slice(1)}`;
    const paths = `/user/ID /user/ID/ /user/ID?again=1 /user/${escaped} /%75ser/ID
      /user/ID/contact.vcf /user/ID/contact.vcf/ /user/ID/contact%2Evcf /user/ID/preview.jpg
      /api/user/ID /api/user/ID/ /%61pi/user/${escaped}`;
    const spellings = paths.replaceAll('ID', id).split(/\s+/);
    const statusesFrom = async (address: string) => {
      const answers = spellings.flatMap((path) =>
        (['GET', 'HEAD'] as const).map((method) => read(method, path, address)),
      );
      return [...new Set(await Promise.all(answers))];
    };
    for (let count = 0; count < READS_PER_MINUTE_MAX; count += 1)
      await read('GET', `/api/user/${id}`, '203.0.113.7');
    expect(await statusesFrom('::ffff:203.0.113.7')).toEqual([429]);
    // As a control, each of these paths is a card for another client.
    expect(await statusesFrom('203.0.113.8')).toEqual([200]);
    for (const path of [`/USER/${id}`, `/user/${id}/CONTACT.VCF`])
      expect(await read('GET', path, '203.0.113.9')).toBe(404);
  });
});

test('limiter: a new task replaces the one that waits longest', async () => {
  const limiter = new Limiter({
    runningMax: 1,
    waitingMax: 2,
    whenFull: 'replace',
    createError: () => new Error('Too many tasks.'),
  });
  const done: string[] = [];
  const run = (name: string) => limiter.run(async () => void done.push(name));
  const [first, second, ...others] = ['first', 'second', 'third', 'fourth'].map(run);
  await expect(second).rejects.toThrow('Too many tasks.');
  await Promise.all([first, ...others]);
  expect([done, limiter.size]).toEqual([['first', 'third', 'fourth'], 0]);
});
