import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { sql } from '#server/db/sql.ts';
import { photoPath } from '#domain/photo.ts';
import { CARD_SCRIPTS, buildTestApp, signInByApi } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';
import type { TestDatabase } from '#tests/support/database.ts';

const PHOTO = `/photos/{user}-${'0'.repeat(32)}-224.jpg`;
const DOCUMENT = { title: 'A page', html: '<main></main>', scripts: [], preloads: [], files: [] };
const WEB = {
  documents: [
    { ...DOCUMENT, paths: ['/login'] },
    { ...DOCUMENT, paths: ['/dashboard'] },
  ],
  style: '',
  cardScripts: CARD_SCRIPTS,
  loginScript: 'document.title',
  workerScript: '',
  assets: new Map([
    ['main-1a2b.js', { contentType: 'text/javascript; charset=utf-8', content: Buffer.from('1') }],
    ['font-1a2b.woff2', { contentType: 'font/woff2', content: Buffer.from('2') }],
  ]),
};
/** The public responses, by kind; `{card}` is the path of the card of `{user}`. */
const TEXTS = {
  'card page': '{card}',
  'contact file': '{card}/contact.vcf',
  'login page': '/login',
  "owner's application": '/dashboard',
  policy: '/privacy_policy',
  'API document': '/api/openapi.json',
  'login script': '/otp/embedded.js',
  asset: '/assets/main-1a2b.js',
  robots: '/robots.txt',
  manifest: '/manifest.webmanifest',
  'icon as SVG': '/favicon.svg',
  'network icon': '/icons/whatsapp.svg',
};
const PICTURES = {
  'preview picture': '{card}/preview.jpg',
  photo: PHOTO,
  'font asset': '/assets/font-1a2b.woff2',
  favicon: '/favicon.ico',
  'icon as PNG': '/icon-192.png',
};
const PUBLIC = Object.entries({ ...TEXTS, ...PICTURES });

let testDatabase: TestDatabase;
let app: ReturnType<typeof buildTestApp>['app'];
let user: string;

beforeAll(async () => {
  testDatabase = await openTestSqlite();
  const { photos } = buildTestApp(testDatabase.database).dependencies;
  const stored = { ...photos, read: async () => Buffer.from('a photo') };
  const testApp = buildTestApp(testDatabase.database, {
    dependencies: { web: WEB, photos: stored },
  });
  ({ app } = testApp);
  user = (await signInByApi(testApp))._id;
  const profilePhoto = photoPath(`${user}-${'0'.repeat(32)}`);
  await testDatabase.database.run(sql`UPDATE users SET profile_photo = ${profilePhoto}`);
  // A busy machine may need longer for the picture than a request waits.
  await vi.waitFor(
    async () =>
      expect((await get('{card}/preview.jpg')).headers['cache-control']).toBe('public, no-cache'),
    { timeout: 30_000, interval: 100 },
  );
});

afterAll(async () => {
  await app.close();
  await testDatabase.dispose();
});

function get(path: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const url = path.replace('{card}', `/user/${user}`).replace('{user}', user);
  return app.inject({ url, method, headers });
}

/** Returns the headers without those that depend on the time or the connection. */
function stableHeaders(answer: Awaited<ReturnType<typeof get>>) {
  const { date: _, connection: __, ...headers } = answer.headers;
  return headers;
}

describe.each(PUBLIC)('%s', (_, path) => {
  test('conditional request: 304 for its own tag, weak or strong, in a list, and for *', async () => {
    const tag = String((await get(path)).headers.etag);
    const opaque = tag.replace(/^W\//, '');
    expect(opaque).toMatch(/^"[\w.-]+"$/);
    const known = [tag, opaque, `W/${opaque}`, `"other", W/"another" , ${tag}`, '*'];
    for (const given of known) {
      const answer = await get(path, { 'if-none-match': given });
      expect([given, answer.statusCode, answer.body]).toEqual([given, 304, '']);
      expect(answer.headers.etag).toBe(tag);
    }
  });

  test('conditional request: 200 for other tags', async () => {
    const tag = String((await get(path)).headers.etag);
    const unknown = ['"other"', `x${tag}`, tag.replaceAll('"', ''), `${tag.slice(0, -1)}x"`, ''];
    for (const given of unknown) {
      expect([given, (await get(path, { 'if-none-match': given })).statusCode]).toEqual([
        given,
        200,
      ]);
    }
  });

  test('304: has the headers of the 200, without those of its body', async () => {
    const full = await get(path);
    const answer = await get(path, { 'if-none-match': '*' });
    const { 'content-length': _length, ...headers } = stableHeaders(full);
    expect(stableHeaders(answer)).toEqual(headers);
  });

  test('HEAD: equals GET without a body', async () => {
    for (const encoding of ['br', 'gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding };
      const [full, head] = [await get(path, headers), await get(path, headers, 'HEAD')];
      expect([head.statusCode, head.body, stableHeaders(head)]).toEqual([
        200,
        '',
        stableHeaders(full),
      ]);
      expect(head.headers['content-length']).toBe(String(full.rawPayload.length));
    }
  });
});

describe.each(Object.entries(TEXTS))('%s', (_, path) => {
  test('encoding: brotli, gzip or none, to the same text', async () => {
    const plain = await get(path);
    const [brotli, gzip] = [
      await get(path, { 'accept-encoding': 'gzip, deflate, br' }),
      await get(path, { 'accept-encoding': 'gzip, br;q=0' }),
    ];
    expect([plain, brotli, gzip].map(({ headers }) => headers['content-encoding'])).toEqual([
      undefined,
      'br',
      'gzip',
    ]);
    expect([plain, brotli, gzip].map(({ headers }) => headers.vary)).toEqual(
      Array(3).fill('accept-encoding'),
    );
    expect(brotliDecompressSync(brotli.rawPayload).toString()).toBe(plain.body);
    expect(gunzipSync(gzip.rawPayload).toString()).toBe(plain.body);
  });
});

describe.each(Object.entries(PICTURES))('%s', (_, path) => {
  test('encoding: none, because its format is compressed', async () => {
    const { headers } = await get(path, { 'accept-encoding': 'gzip, br' });
    expect([headers['content-encoding'], headers.vary]).toEqual([undefined, undefined]);
  });
});
