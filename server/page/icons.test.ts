import sharp from 'sharp';
import { expect, test } from 'vitest';

import { DAY_MS } from '#domain/duration.ts';
import { COMMIT_TIME } from '#server/version.ts';
import { buildTestApp, useTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';

const { database, testApp } = useTestApp(openTestSqlite, {
  environment: { PRODUCT_NAME: 'Patra' },
});

interface Manifest {
  shortcuts: unknown[];
  name: string;
  icons: { src: string; sizes: string; type: string; purpose: string }[];
}

test('manifest: has the product’s name, and its icons have the declared sizes and types', async () => {
  const response = await testApp.app.inject('/manifest.webmanifest');
  const manifest = response.json<Manifest>();
  expect(response.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
  expect(manifest.name).toBe('Patra');
  const declared = manifest.icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`);
  expect(declared).toEqual(['192x192 any', '512x512 any', '512x512 maskable']);
  const icons = [manifest.icons[0]];
  const shortcut = { name: 'Show QR code', short_name: 'QR code', url: '/dashboard?qr', icons };
  expect(manifest.shortcuts).toEqual([shortcut]);
  for (const { src, sizes, type } of manifest.icons) {
    const icon = await testApp.app.inject(src);
    const { width, height, format } = await sharp(icon.rawPayload).metadata();
    expect({ sizes: `${width}x${height}`, type: `image/${format}` }).toEqual({ sizes, type });
    expect(icon.headers['content-type']).toBe(type);
  }
});

test('touch icon and favicon: are opaque, an ICO with one picture of 32 x 32, and a valid SVG', async () => {
  const touch = sharp((await testApp.app.inject('/apple-touch-icon.png')).rawPayload);
  expect(await touch.metadata()).toMatchObject({ width: 180, height: 180 });
  expect((await touch.stats()).isOpaque).toBe(true);
  const ico = await testApp.app.inject('/favicon.ico');
  const head = ico.rawPayload;
  expect([head.readUInt16LE(0), head.readUInt16LE(2), head.readUInt16LE(4)]).toEqual([0, 1, 1]);
  const png = head.subarray(head.readUInt32LE(18));
  expect(png.length).toBe(head.readUInt32LE(14));
  expect((await sharp(png).metadata()).width).toBe(32);
  const svg = await testApp.app.inject('/favicon.svg');
  expect(svg.headers['content-type']).toContain('image/svg+xml');
  expect((await sharp(svg.rawPayload).metadata()).format).toBe('svg');
});

test('robots.txt: disallows the owner’s pages and the API', async () => {
  const { body, headers } = await testApp.app.inject('/robots.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const disallowed = ['/login', '/ftue', '/dashboard', '/api'].map((path) => `Disallow: ${path}`);
  expect(body.trim().split('\n')).toEqual(['User-agent: *', 'Allow: /', ...disallowed]);
});

const SECURITY_CONTACT = 'https://patra.example/security';
const PUBLIC_URL = 'https://patra.example';

test.each([
  [{ SUPPORT_EMAIL: 'help@patra.example' }, 'mailto:help@patra.example', ''],
  [
    { SECURITY_CONTACT, PUBLIC_URL },
    SECURITY_CONTACT,
    `Canonical: ${PUBLIC_URL}/.well-known/security.txt\n`,
  ],
])('security.txt: with %j has the contact %s and an end within a year %s', async (...row) => {
  const [environment, contact, canonical] = row;
  const { app } = buildTestApp(database, { environment });
  const { body, headers } = await app.inject('/.well-known/security.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const expires = new Date(COMMIT_TIME + 364 * DAY_MS).toISOString();
  expect(body).toBe(`Contact: ${contact}\nExpires: ${expires}\n${canonical}`);
});

test('X-Robots-Tag: is noindex', async () => {
  const paths = ['/', '/login', '/ftue', '/dashboard', '/api/user/nobody', '/user/nobody'];
  for (const path of [...paths, '/robots.txt', '/favicon.svg', '/healthz']) {
    const { headers } = await testApp.app.inject(path);
    expect([path, headers['x-robots-tag']]).toEqual([path, 'noindex']);
  }
});
