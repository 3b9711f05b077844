import { brotliDecompressSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { compressAround, createSharedPart, encodedEtag, padFirstPart } from './representation.ts';
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

/** Words of brotli's own dictionary, short repeats and letters of several bytes. */
const WORDS = [
  ...'the of and background position display international http://www. " title='.split(' '),
  ...'a aa abab abcabc 1234567 தமிழ் 🙂 <b>'.split(' '),
];
const SHARED = '<style>.card{background:#fff;position:absolute;display:block}</style>'.repeat(40);

/** The generator of Park and Miller, so that a failure can be repeated. */
function createRandom(seed: number) {
  let state = seed;
  return (end: number) => (state = (state * 48_271) % 2_147_483_647) % end;
}

test('shared part: around it, any two parts of a page are one stream of brotli, which is stored without it', async () => {
  const random = createRandom(7);
  const textOf = (words: number) =>
    Array.from({ length: words }, () => WORDS[random(WORDS.length)]?.repeat(1 + random(4))).join(
      ' '.repeat(random(2)),
    );
  const parts = new Map<number, Awaited<ReturnType<typeof createSharedPart>>>();
  for (let count = 0; count < 1000; count += 1) {
    const [first, last] = [padFirstPart(textOf(random(200))), Buffer.from(textOf(random(200)))];
    const at = first.length;
    const part = parts.get(at) ?? (await createSharedPart(SHARED, at));
    parts.set(at, part);
    const own = compressAround(part, { body: Buffer.concat([first, last]), at });
    const { body, at: end } = own ?? expect.fail('The parts do not fit together.');
    const page = Buffer.concat([
      body.subarray(0, end),
      part.brotli ?? '',
      body.subarray(end),
    ] as Buffer[]);
    const text = Buffer.concat([first, part.text, last]);
    expect(brotliDecompressSync(page).equals(text)).toBe(true);
    expect(body.buffer.byteLength).toBe(body.length);
  }
  expect(parts.size).toBeLessThan(20);
});

test('shared part: a page that is long, or would be too large, is compressed in the thread pool', async () => {
  const first = padFirstPart('<title>Asha Rao</title>');
  const part = await createSharedPart(SHARED, first.length);
  const around = (last: string) =>
    compressAround(part, { body: Buffer.concat([first, Buffer.from(last)]), at: first.length });
  expect(around('x'.repeat(30_000))).not.toBe(null);
  expect(around('x'.repeat(33_000))).toBe(null);
  const random = createRandom(7);
  const noise = Array.from({ length: 14_000 }, () => String.fromCharCode(33 + random(90))).join('');
  expect(around(noise)).toBe(null);
});
