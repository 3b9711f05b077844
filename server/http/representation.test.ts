import { expect, test } from 'vitest';

import { encodedEtag } from './representation.ts';
import { permittedVersions, versionEtag } from './route.ts';

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
  // The first is no version of a row, and the second is too large to be exact.
  ['"05", "99999999999999999999"', []],
  ['', []],
])('if-match: %j permits the versions %j', (header, versions) => {
  expect(permittedVersions(header)).toEqual(versions);
});

test('if-match: a list has at most 16 tags', () => {
  const most = Array.from({ length: 16 }, (_, index) => `"${index}"`).join();
  expect(permittedVersions(most)).toHaveLength(16);
  expect(() => permittedVersions(`${most}, "x"`)).toThrow('If-Match lists at most 16 tags.');
});
