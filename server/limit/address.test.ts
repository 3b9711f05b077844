import { expect, test } from 'vitest';

import { rateLimitKey, addressPrefixes } from './address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7'],
  ['::ffff:203.0.113.7', '203.0.113.7'],
  ['::ffff:cb00:7107', '203.0.113.7'],
  ['0:0:0:0:0:FFFF:cb00:7107', '203.0.113.7'],
  ['::ffff:7', '0:0:0:0::/64'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64'],
  ['2001:DB8:0:1::1', '2001:db8:0:1::/64'],
  ['2001:0db8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['not an address', 'not an address'],
])('rate limit key: %s counts as %s', (address, key) => {
  expect(rateLimitKey(address)).toBe(key);
});

test.each([
  ['203.0.113.7', null],
  ['::ffff:203.0.113.7', null],
  ['::ffff:cb00:7107', null],
  ['2001:DB8:5:1::1', '2001:db8:5::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['not an address', null],
])('address: the /48 of %s is %s', (address, prefix48) => {
  expect(addressPrefixes(address)).toEqual({ prefix64: rateLimitKey(address), prefix48 });
});
