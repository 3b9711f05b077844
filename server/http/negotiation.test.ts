import { expect, test } from 'vitest';

import { chooseEncoding } from './negotiation.ts';

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['BR', 'br'],
  ['gzip;q=1.0, br;q=0', 'gzip'],
  ['br;q=0.0, gzip;q=0', 'identity'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br;q=0.5 , gzip ; q=0.5', 'br'],
  ['identity, gzip;q=0.5', 'identity'],
  ['identity;q=0, gzip;q=0.1', 'gzip'],
  ['*', 'br'],
  ['br;q=0, *', 'gzip'],
  ['*;q=0', 'identity'],
  ['br;q=high', 'identity'],
  ['deflate', 'identity'],
  ['identity', 'identity'],
])('Accept-Encoding: %s is answered with %s', (header, encoding) => {
  expect(chooseEncoding(header)).toBe(encoding);
});
