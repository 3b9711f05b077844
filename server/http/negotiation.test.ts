import { expect, test } from 'vitest';

import {
  chooseEncoding,
  encodedEtag,
  matchesEtag,
  permittedVersions,
  versionEtag,
} from './negotiation.ts';

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

test('etag: is strong, and different for each encoding', () => {
  const etag = versionEtag(5);
  expect([etag, encodedEtag(etag, 'br'), encodedEtag(etag, 'gzip')]).toEqual([
    '"5"',
    '"5-br"',
    '"5-gzip"',
  ]);
  expect([encodedEtag(etag, 'identity'), encodedEtag('W/"5"', 'br')]).toEqual(['"5"', 'W/"5"']);
});

test.each([
  [undefined, '*'],
  [' * ', '*'],
  ['"5"', '"5"'],
  ['"5-br","6-gzip" , "7"', '"5" "6" "7"'],
  ['W/"5", "6"', '"6"'],
  ['"5-x", "x", "", 5, "5', ''],
  ['', ''],
])('if-match: %j permits the versions %j', (header, versions) => {
  expect(permittedVersions(header)).toBe(versions);
});

test.each([
  [undefined, false],
  ['', false],
  ['"a"', true],
  ['W/"a"', true],
  ['"b", W/"a"', true],
  ['"b","a"', true],
  ['"ab"', false],
  ['a', false],
  ['w/"a"', false],
])('If-None-Match: %s matches "a" and W/"a": %s', (header, isMatch) => {
  expect([matchesEtag(header, '"a"'), matchesEtag(header, 'W/"a"')]).toEqual([isMatch, isMatch]);
});
