import { randomBytes } from 'node:crypto';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';

import { beforeAll, expect, test, vi } from 'vitest';

import { sql } from '#server/adapter/database/sql.ts';
import { photoPath } from '#domain/photo.ts';
import { buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import { words } from '#tests/support/words.ts';

import { chooseEncoding } from './representation.ts';
import { StoredResponse } from './stored-response.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const pageOf = (body: string) => new StoredResponse({ body, headers: HTML });

test('stored response: keeps one encoding, brotli once it was requested, and a fixed one keeps all', async () => {
  const text = '<p>card</p>'.repeat(1000);
  const page = pageOf(text);
  const { body: gzip } = await page.encode('gzip');
  expect((await page.encode('gzip')).body).toBe(gzip);
  const { body } = await page.encode('br');
  expect((await page.encode('br')).body).toBe(body);
  expect(page.sizeBytes).toBeLessThan(text.length / 2);
  // A part of a larger chunk would keep the whole chunk in memory.
  for (const kept of [gzip, body]) expect(kept.buffer.byteLength).toBe(kept.length);
  expect((await page.encode('gzip')).body).not.toBe(gzip);
  expect(gunzipSync((await page.encode('gzip')).body)).toEqual(
    (await page.encode('identity')).body,
  );

  const fixed = new StoredResponse({ body: text, headers: HTML, isFixed: true });
  for (const encoding of ['br', 'gzip', 'identity'] as const)
    expect(await fixed.encode(encoding)).toBe(fixed.encode(encoding));
});

test('stored response: brotli is lossless for small and large bodies, and compresses distant repeats', async () => {
  const random = randomBytes(100_000).toString('base64');
  for (const html of ['', 'a', random.slice(0, 65_519), random.slice(0, 65_522), random + random]) {
    const { body } = await pageOf(html).encode('br');
    expect(brotliDecompressSync(body).toString()).toBe(html);
    expect(body.length).toBeLessThan(random.length);
  }
});

test('stored response: equal bodies have equal tags, other bodies have other tags, and only a 200 has one', () => {
  expect(pageOf('one').etag).toBe(pageOf('one').etag);
  expect(pageOf('one').etag).not.toBe(pageOf('two').etag);
  const { etag, headers } = new StoredResponse({ body: '', headers: HTML, status: 404 });
  expect([etag, 'etag' in headers]).toEqual([null, false]);
});

const NO_ENCODING = ['br;q=0.0, gzip;q=0', 'identity, gzip;q=0.5', '*;q=0', 'br;q=high'];

test.each([
  ['br', ['gzip, deflate, br, zstd', 'BR', 'br;q=0.5 , gzip ; q=0.5', '*']],
  ['gzip', ['gzip;q=1.0, br;q=0', 'br;q=0.5, gzip;q=0.8', 'identity;q=0, gzip;q=0.1', 'br;q=0, *']],
  ['identity', [undefined, '', ...NO_ENCODING, 'deflate', 'identity']],
] as const)('Accept-Encoding: the answer is %s to %j', (encoding, headers) => {
  for (const header of headers) expect(chooseEncoding(header), header).toBe(encoding);
});

const PHOTO = `/photos/{user}-${'0'.repeat(32)}-224.jpg`;
const JAVASCRIPT = 'text/javascript; charset=utf-8';
const JPEG = Buffer.from('a photo');
const SCRIPT = Buffer.from('let one = 1;'.repeat(100));
/** The server would compress the script differently. */
const BUILT = { br: brotliCompressSync(SCRIPT), gzip: gzipSync(SCRIPT, { level: 1 }) };
const ASSETS = new Map([
  ['main-1a2b.js', { contentType: JAVASCRIPT, content: SCRIPT, compressed: BUILT }],
  ['font-1a2b.woff2', { contentType: 'font/woff2', content: Buffer.from('2') }],
]);
/** The paths of public responses. `{card}` stands for the path of the card of `{user}`. */
const TEXTS = words(`{card} {card}/contact.vcf /login /dashboard /privacy_policy /api/openapi.json
  /otp/embedded.js /assets/main-1a2b.js /robots.txt /manifest.webmanifest /favicon.svg
  /icons/whatsapp.svg`);
const PICTURES = words(`{card}/preview.jpg ${PHOTO} /assets/font-1a2b.woff2 /favicon.ico
  /icon-192.png`);

let app: ReturnType<typeof buildTestApp>['app'];
let user: string;

beforeAll(async () => {
  const { database, dispose } = await openTestSqlite();
  const { dependencies } = buildTestApp(database);
  const photos = { ...dependencies.photos, read: async () => JPEG };
  const web = { ...dependencies.web, assets: ASSETS };
  const testApp = buildTestApp(database, { dependencies: { web, photos } });
  ({ app } = testApp);
  user = (await signInByApi(testApp))._id;
  const profilePhoto = photoPath(`${user}-${'0'.repeat(32)}`);
  await database.run(sql`UPDATE users SET profile_photo = ${profilePhoto}`);
  // A busy machine may need longer for the picture than a request waits.
  await vi.waitFor(
    async () =>
      expect((await get('{card}/preview.jpg')).headers['cache-control']).toBe('public, no-cache'),
    { timeout: 30_000, interval: 100 },
  );
  return () => app.close().then(dispose);
});

function get(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const url = path.replace('{card}', `/user/${user}`).replace('{user}', user);
  return app.inject({ url, method, headers });
}

function stableHeaders(answer: Awaited<ReturnType<typeof get>>) {
  const { date: _, connection: __, ...headers } = answer.headers;
  return headers;
}

test.each([...TEXTS, ...PICTURES])('conditional request: %s is 304 for its tag', async (path) => {
  const full = await get(path);
  const { 'content-length': _length, ...headers } = stableHeaders(full);
  const tag = String(headers.etag);
  const opaque = tag.replace(/^W\//, '');
  expect(opaque).toMatch(/^"[\w.-]+"$/);
  for (const given of [tag, opaque, `W/${opaque}`, `"other", W/"another" , ${tag}`, '*']) {
    const answer = await get(path, { 'if-none-match': given });
    expect([given, answer.statusCode, answer.body]).toEqual([given, 304, '']);
    expect(stableHeaders(answer)).toEqual(headers);
  }
  const unknown = ['"other"', `w/${opaque}`, tag.replaceAll('"', ''), `${tag.slice(0, -1)}x"`, ''];
  for (const given of unknown)
    expect((await get(path, { 'if-none-match': given })).statusCode, given).toBe(200);
});

test.each([...TEXTS, ...PICTURES])('encoding: %s, and HEAD without a body', async (path) => {
  const plain = (await get(path)).rawPayload;
  const isText = TEXTS.includes(path);
  for (const [accepted, encoding, decode] of [
    ['identity', undefined, (body: Buffer) => body],
    ['gzip, deflate, br', 'br', brotliDecompressSync],
    ['gzip, br;q=0', 'gzip', gunzipSync],
  ] as const) {
    const headers = { 'accept-encoding': accepted };
    const [full, head] = [await get(path, headers), await get(path, headers, 'HEAD')];
    expect(full.headers['content-encoding']).toBe(isText ? encoding : undefined);
    expect(full.headers.vary).toBe(isText ? 'accept-encoding' : undefined);
    const body = isText ? decode(full.rawPayload) : full.rawPayload;
    expect(body.equals(plain)).toBe(true);
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(stableHeaders(head)).toEqual(stableHeaders(full));
    expect(head.headers['content-length']).toBe(String(full.rawPayload.length));
  }
});

test('encoding: a file of the build is sent as the build has compressed it', async () => {
  for (const encoding of ['br', 'gzip'] as const) {
    const { rawPayload } = await get('/assets/main-1a2b.js', { 'accept-encoding': encoding });
    expect(rawPayload.equals(BUILT[encoding])).toBe(true);
  }
});
