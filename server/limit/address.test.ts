import { expect, test } from 'vitest';

import { rateLimitKey, addressPrefixes } from './address.ts';

test.each([
  ['203.0.113.7', '203.0.113.7', null],
  ['::ffff:203.0.113.7', '203.0.113.7', null],
  ['::ffff:cb00:7107', '203.0.113.7', null],
  ['0:0:0:0:0:FFFF:cb00:7107', '203.0.113.7', null],
  ['::ffff:7', '0:0:0:0::/64', '0:0:0::/48'],
  ['2001:db8:0:1:2:3:4:5', '2001:db8:0:1::/64', '2001:db8:0::/48'],
  ['2001:DB8:5:1::1', '2001:db8:5:1::/64', '2001:db8:5::/48'],
  ['2001:0db8:0000:0001:ffff:ffff:ffff:ffff', '2001:db8:0:1::/64', '2001:db8:0::/48'],
  ['2001:db8::1', '2001:db8:0:0::/64', '2001:db8:0::/48'],
  ['::1', '0:0:0:0::/64', '0:0:0::/48'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64', 'fe80:0:0::/48'],
  ['not an address', 'not an address', null],
])('address: %s counts as %s, in the /48 %s', (address, key, prefix48) => {
  expect(rateLimitKey(address)).toBe(key);
  expect(addressPrefixes(address)).toEqual({ prefix64: key, prefix48 });
});
