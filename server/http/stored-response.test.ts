import { randomBytes } from 'node:crypto';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { StoredResponse } from './stored-response.ts';

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const pageOf = (body: string) => new StoredResponse({ body, headers: HTML });

test('stored response: keeps one encoding, brotli once it was requested, and a fixed one keeps all', () => {
  const text = '<p>card</p>'.repeat(1000);
  const page = pageOf(text);
  const { body: gzip } = page.encode('gzip');
  expect(page.encode('gzip').body).toBe(gzip);
  const { body } = page.encode('br');
  expect(page.encode('br').body).toBe(body);
  expect(page.sizeBytes).toBeLessThan(text.length / 2);
  // A part of a larger chunk would keep the whole chunk in memory.
  for (const kept of [gzip, body]) expect(kept.buffer.byteLength).toBe(kept.length);
  expect(page.encode('gzip').body).not.toBe(gzip);
  expect(gunzipSync(page.encode('gzip').body)).toEqual(page.encode('identity').body);

  const fixed = new StoredResponse({ body: text, headers: HTML, isFixed: true });
  for (const encoding of ['br', 'gzip', 'identity'] as const)
    expect(fixed.encode(encoding)).toBe(fixed.encode(encoding));
});

test('stored response: brotli is lossless for small and large bodies, and compresses distant repeats', () => {
  const random = randomBytes(100_000).toString('base64');
  for (const html of ['', 'a', random.slice(0, 65_519), random.slice(0, 65_522), random + random]) {
    const { body } = pageOf(html).encode('br');
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
