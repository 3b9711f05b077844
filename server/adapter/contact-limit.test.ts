import { expect, test } from 'vitest';

import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';
import { addressPrefixes } from '#server/http/proxy.ts';

import { DeniedKeys, contactRateLimits } from './counter.ts';

const LEAD = { name: 'Ravi', mobile: '98765', email: 'ravi@example.com', companyName: 'Kaveri' };
const SENDING = { address: addressPrefixes('203.0.113.7'), userId: 'u1', lead: LEAD, secret: 's' };
const SETTINGS = { limitContactsPerHour: 600, limitContactsPerCard: 30 };
const limitsOf = (sending: Partial<typeof SENDING>) =>
  contactRateLimits({ ...SENDING, ...sending }, SETTINGS);
/** No name, phone or email is readable. */
const DIGEST = /^contact:same:[\w-]{43}$/;

test('contact limits: are those of docs/develop/security.md#limits', () => {
  expect(limitsOf({})).toEqual({
    refused: [
      { key: 'contact:address:203.0.113.7', max: 600, windowMs: 60 * MINUTE_MS },
      { key: 'contact:network:203.0.113.0/24:u1', max: 900, windowMs: 60 * MINUTE_MS },
    ],
    held: [
      { key: 'contact:address:203.0.113.7:u1', max: 30, windowMs: 10 * MINUTE_MS },
      { key: 'contact:card:u1', max: 500, windowMs: DAY_MS },
    ],
    duplicate: { key: expect.stringMatching(DIGEST), max: 1, windowMs: 10 * MINUTE_MS },
    source: expect.stringMatching(/^[\w-]{43}$/),
  });
  const { refused, held } = limitsOf({ address: addressPrefixes('2001:db8:1:2::1') });
  expect([...refused, ...held].map(({ key }) => key)).toEqual([
    'contact:address:2001:db8:1:2::/64',
    'contact:network:2001:db8:1::/48:u1',
    'contact:address:2001:db8:1:2::/64:u1',
    'contact:card:u1',
  ]);
});

test('contact limits: a source is one network, card and secret; only the same lead on the same card is the same contact', () => {
  const ofAddress = (ip: string) => limitsOf({ address: addressPrefixes(ip) });
  const networks = ['203.0.113.7', '203.0.114.7', '2001:db8:1:2::1', '2001:db8:2::'];
  const sources = networks.map((ip) => ofAddress(ip).source);
  const again = ['203.0.113.99', '2001:db8:1:3::1'].map((ip) => ofAddress(ip).source);
  expect(again).toEqual([sources[0], sources[2]]);
  const ofCard = limitsOf({ userId: 'u2' });
  expect(new Set([...sources, ofCard.source, limitsOf({ secret: 't' }).source]).size).toBe(6);
  const others = Object.keys(LEAD).map((field) => limitsOf({ lead: { ...LEAD, [field]: 'x' } }));
  const keys = [limitsOf({}), ofCard, ...others].map(({ duplicate }) => duplicate.key);
  expect(new Set(keys).size).toBe(6);
  expect(ofAddress('203.0.113.8').duplicate.key).toBe(keys[0]);
});

test('denied keys: wait for the rest of their period, unless the clock was set back before it', () => {
  const denied = new DeniedKeys();
  denied.add(new Map([['a', 2000]]), 1000);
  const limits = ['b', 'a'].map((key) => ({ key, max: 1, windowMs: 1 }));
  const waits = [999, 1000, 2999, 3000].map((now) => denied.waitMs(limits, now));
  expect(waits).toEqual([0, 2000, 1, 0]);
});
