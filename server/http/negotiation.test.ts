import { expect, test } from 'vitest';

import { chooseEncoding, encodedEtag, permittedVersions, versionEtag } from './negotiation.ts';

const NO_ENCODING = ['br;q=0.0, gzip;q=0', 'identity, gzip;q=0.5', '*;q=0', 'br;q=high'];

test.each([
  ['br', ['gzip, deflate, br, zstd', 'BR', 'br;q=0.5 , gzip ; q=0.5', '*']],
  ['gzip', ['gzip;q=1.0, br;q=0', 'br;q=0.5, gzip;q=0.8', 'identity;q=0, gzip;q=0.1', 'br;q=0, *']],
  ['identity', [undefined, '', ...NO_ENCODING, 'deflate', 'identity']],
] as const)('Accept-Encoding: the answer is %s to %j', (encoding, headers) => {
  for (const header of headers) expect(chooseEncoding(header), header).toBe(encoding);
});

test('etag: is strong, and different for each encoding', () => {
  const etag = versionEtag(5);
  const encoded = (['identity', 'br', 'gzip'] as const).map((name) => encodedEtag(etag, name));
  expect([etag, ...encoded]).toEqual(['"5"', '"5"', '"5-br"', '"5-gzip"']);
  expect(encodedEtag('W/"5"', 'br')).toBe('W/"5"');
});

test.each([
  [undefined, '*'],
  [' * ', '*'],
  ['"5"', [5]],
  ['"5-br","6-gzip" , "7"', [5, 6, 7]],
  ['W/"5", "6"', [6]],
  ['"5-x", "x", "", 5, "5', []],
  // No version of a row, and not exact in every number.
  ['"05", "99999999999999999999"', []],
  ['', []],
])('if-match: %j permits the versions %j', (header, versions) => {
  expect(permittedVersions(header)).toEqual(versions);
});
