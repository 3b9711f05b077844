import { randomBytes } from 'node:crypto';
import { brotliDecompressSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { chooseEncoding, FinishedResponse } from './finished-response.ts';

test('the best encoding that a client accepts is chosen', () => {
  const chosen = [
    undefined,
    '',
    'gzip, deflate, br, zstd',
    'BR',
    'gzip;q=1.0, br;q=0',
    'br;q=0.0, gzip;q=0',
    'deflate',
    'identity',
  ].map(chooseEncoding);
  expect(chosen).toEqual([
    'identity',
    'identity',
    'br',
    'br',
    'gzip',
    'identity',
    'identity',
    'identity',
  ]);
});

test('a body is compressed once for all who ask', async () => {
  const page = new FinishedResponse('<p>card</p>'.repeat(100), {});
  const bodies = await Promise.all([page.body('br'), page.body('br'), page.body('br')]);
  expect(new Set(bodies).size).toBe(1);
});

test('a page comes back whole, however small or large, and repeats from afar take no room', async () => {
  const far = randomBytes(100_000).toString('base64');
  for (const html of ['', 'a', far.slice(0, 65_519), far.slice(0, 65_522), far + far]) {
    const body = await new FinishedResponse(html, {}).body('br');
    expect(brotliDecompressSync(body).toString()).toBe(html);
    expect(body.length).toBeLessThan(far.length);
  }
});

test('equal pages have equal tags, others have others', () => {
  expect(tagOf('one')).toBe(tagOf('one'));
  expect(tagOf('one')).not.toBe(tagOf('two'));
});

function tagOf(html: string): string {
  return new FinishedResponse(html, {}).etag;
}
