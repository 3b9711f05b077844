import { createHash } from 'node:crypto';

import sharp from 'sharp';
import { expect, test } from 'vitest';

import { browserSettings } from '#contract/browser-settings.ts';
import { DAY_MS, MINUTE_MS } from '#domain/duration.ts';
import { OWNER_PAGES } from '#domain/page.ts';
import { COMMIT_TIME } from '#server/version.ts';
import { TEST_PAGES, buildTestApp, useTestApp } from '#tests/support/app.ts';
import { openTestSqlite } from '#tests/support/database.ts';

const JAVASCRIPT = 'text/javascript; charset=utf-8';
const web = {
  ...TEST_PAGES,
  cardScript: '',
  receiptCardScript: '',
  loginScript: '',
  workerScript: '/* worker */',
  assets: new Map([['index-1a2b.js', { contentType: JAVASCRIPT, content: Buffer.from('1') }]]),
};
const { database, testApp } = useTestApp(openTestSqlite, {
  environment: { PRODUCT_NAME: 'A</script><b>&$&\u2028' },
  dependencies: { web },
});

const get = (url: string) => testApp.app.inject({ url });
const hashOf = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

async function settingsAt(url: string) {
  const { statusCode, headers, body } = await get(url);
  expect(statusCode).toBe(200);
  const [, json = ''] =
    /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(body) ?? [];
  return { headers, body, settings: browserSettings.parse(JSON.parse(json)) };
}

const ESCAPED_NAME = 'A&lt;/script&gt;&lt;b&gt;&amp;$&amp;';

test('owner’s pages: are one shell, not indexed, and the provider is on the pages of its widget alone', async () => {
  const widgets = ['/', '/login', '/login/', '/dashboard/account/verify'];
  const owned = Object.values(OWNER_PAGES).flatMap((page) =>
    'needsLanguages' in page ? [] : [page.path, `${page.path}/`, `${page.path}?phone=1`],
  );
  const shells = new Set<string>();
  for (const url of [...widgets, ...owned]) {
    const { headers, body, settings } = await settingsAt(url);
    const hasWidget = widgets.includes(url);
    if (!hasWidget) shells.add(body);
    expect(settings.provider?.kind).toBe(hasWidget ? 'embedded' : undefined);
    const preload = '<link rel="preload" as="script" href="/otp/embedded.js"/>';
    expect(body.includes(preload)).toBe(hasWidget);
    expect(settings.productName).toBe('A</script><b>&$&');
    expect(body).toContain(ESCAPED_NAME);
    expect(body).not.toMatch(/<b>|\u2028/);
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    // The pages with a widget have no service worker.
    expect(policy).toContain(`worker-src ${hasWidget ? "'none'" : "'self'"};`);
    const [, style] = /<style>(.*?)<\/style>/s.exec(body) ?? [];
    const source = style === undefined ? '' : ` '${hashOf(style)}'`;
    expect(policy).toContain(`style-src 'self'${source};`);
  }
  expect(shells.size).toBe(1);
  for (const url of ['/dashboard/nothing', '/dashboard/edit/nothing', '/dashboard/translations'])
    expect([url, (await get(url)).statusCode]).toEqual([url, 404]);
});

test('translations page: its old path redirects to it with the query', async () => {
  const environment = { LANGUAGES: 'ta' };
  const { app } = buildTestApp(database, { environment, dependencies: { web } });
  for (const query of ['', '?a=/%3F&b']) {
    const { statusCode, headers } = await app.inject({ url: `/dashboard/faces${query}` });
    const target = `/dashboard/translations${query}`;
    expect([statusCode, headers.location]).toEqual([301, target]);
    expect((await app.inject({ url: target })).statusCode).toBe(200);
  }
});

test('login page: is complete HTML with its style inlined and one script', async () => {
  const { body } = await get('/login');
  for (const part of [
    `${ESCAPED_NAME}</title>`,
    'Meera Iyer',
    'Free for you',
    '<script type="module" src="/assets/signin-0e1f.js"></script>',
  ])
    expect(body).toContain(part);
  const [terms] = /class="signin-terms">.*?<\/p>/s.exec(body) ?? [];
  expect(terms).toMatch(/href="\/terms_conditions".*href="\/privacy_policy"/s);
});

test('service worker: lists the shell and the stored files, and is revalidated', async () => {
  const { headers, body } = await get('/worker.js');
  expect(headers).toMatchObject({
    'content-type': JAVASCRIPT,
    'cache-control': 'no-cache',
    'content-security-policy': expect.stringContaining("connect-src 'self'"),
  });
  const [, list = '', script] = /^self\.files=(.*);\n(.*)$/s.exec(body) ?? [];
  expect(script).toBe('/* worker */');
  const entries = JSON.parse(list) as { url: string; integrity?: string }[];
  const documents = ['/dashboard', '/favicon.svg'];
  const always = [...documents, '/assets/index.html.js', '/assets/feature/edit/page.tsx.js'];
  expect(entries.map(({ url }) => url)).toEqual(always);
  for (const { url, integrity } of entries.slice(0, documents.length))
    expect([url, integrity]).toEqual([url, hashOf((await get(url)).body)]);
});

test('service worker: lists the files of what the operator has switched on, and of nothing else', async () => {
  const environment = { VIEWS: 'contacts', LANGUAGES: 'ta' };
  const { app } = buildTestApp(database, { environment, dependencies: { web } });
  const { body } = await app.inject({ url: '/worker.js' });
  const names = body.match(/(?<=assets\/)[^"]+(?=\.js")/g);
  expect(names).toEqual([
    'index.html',
    'feature/edit/page.tsx',
    'feature/contact/page.tsx',
    'feature/translation/page.tsx',
    '../domain/language/ta.ts',
  ]);
});

test('files: built ones are cached for a year, because their names change with their content, and networks have icons', async () => {
  const built = await get('/assets/index-1a2b.js');
  expect(built.body).toBe('1');
  expect(built.headers).toMatchObject({
    'content-type': JAVASCRIPT,
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect((await get('/assets/other.js')).statusCode).toBe(404);
  const { headers, body } = await get('/icons/whatsapp.svg');
  expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  expect(body).toMatch(/^<svg xmlns=/);
});

test('files: an address loads 6,000 a minute, of all folders together', async () => {
  for (let count = 0; count < 6000; count += 1)
    await get(count % 2 === 0 ? '/assets/main-1a2b.js' : '/robots.txt');
  const paths = ['/assets/main-1a2b.js', '/icons/whatsapp.svg', '/icon-192.png', '/favicon.svg'];
  for (const path of paths) expect([path, (await get(path)).statusCode]).toEqual([path, 429]);
  expect((await get('/dashboard')).statusCode).toBe(200);
  testApp.clock.advance(MINUTE_MS);
  expect((await get('/robots.txt')).statusCode).toBe(200);
});

type Icon = Record<'src' | 'sizes' | 'type' | 'purpose', string>;

test('icons: those of the manifest have the declared sizes and types, the others what browsers read', async () => {
  const response = await get('/manifest.webmanifest');
  expect(response.headers['content-type']).toBe('application/manifest+json; charset=utf-8');
  const manifest = response.json<{ name: string; icons: Icon[]; shortcuts: unknown[] }>();
  const { name, icons, shortcuts } = manifest;
  expect(name).toBe('A</script><b>&$&');
  const declared = icons.map(({ sizes, purpose }) => `${sizes} ${purpose}`);
  expect(declared).toEqual(['192x192 any', '512x512 any', '512x512 maskable']);
  const shortcut = { name: 'Show QR code', short_name: 'QR code', url: '/dashboard?qr' };
  expect(shortcuts).toEqual([{ ...shortcut, icons: icons.slice(0, 1) }]);
  for (const { src, sizes, type } of icons) {
    const icon = await get(src);
    const { width, height, format } = await sharp(icon.rawPayload).metadata();
    const found = [`${width}x${height}`, `image/${format}`, icon.headers['content-type']];
    expect(found).toEqual([sizes, type, type]);
  }
  // The touch icon is opaque. One favicon is an ICO with one picture of 32 x 32, and the other is an SVG.
  const touch = sharp((await get('/apple-touch-icon.png')).rawPayload);
  expect(await touch.metadata()).toMatchObject({ width: 180, height: 180 });
  expect((await touch.stats()).isOpaque).toBe(true);
  const ico = (await get('/favicon.ico')).rawPayload;
  expect([0, 2, 4].map((at) => ico.readUInt16LE(at))).toEqual([0, 1, 1]);
  const png = ico.subarray(ico.readUInt32LE(18));
  expect(png.length).toBe(ico.readUInt32LE(14));
  expect((await sharp(png).metadata()).width).toBe(32);
  const svg = await get('/favicon.svg');
  expect(svg.headers['content-type']).toContain('image/svg+xml');
  expect((await sharp(svg.rawPayload).metadata()).format).toBe('svg');
});

test('search engines: robots.txt disallows the API only, so that noindex is seen, which is on all but cards and policies', async () => {
  const { body, headers } = await get('/robots.txt');
  expect(headers['content-type']).toBe('text/plain; charset=utf-8');
  const disallowed = ['/api'].map((path) => `Disallow: ${path}`);
  expect(body.trim().split('\n')).toEqual(['User-agent: *', 'Allow: /', ...disallowed]);
  const others = ['/robots.txt', '/favicon.svg', '/healthz'];
  for (const path of ['/api/user/nobody', '/user/nobody', ...others])
    expect([path, (await get(path)).headers['x-robots-tag']]).toEqual([path, 'noindex']);
});

test('security.txt: has the contact, an end within a year, and with PUBLIC_URL its own address', async () => {
  const expires = new Date(COMMIT_TIME + 364 * DAY_MS).toISOString();
  const PUBLIC_URL = 'https://patra.example';
  const SECURITY_CONTACT = `${PUBLIC_URL}/security`;
  const canonical = `Canonical: ${PUBLIC_URL}/.well-known/security.txt\n`;
  for (const [environment, contact, rest] of [
    [{ SUPPORT_EMAIL: 'help@patra.example' }, 'mailto:help@patra.example', ''],
    [{ SECURITY_CONTACT, PUBLIC_URL }, SECURITY_CONTACT, canonical],
  ] as const) {
    const { app } = buildTestApp(database, { environment });
    const { body, headers } = await app.inject('/.well-known/security.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(body).toBe(`Contact: ${contact}\nExpires: ${expires}\n${rest}`);
  }
});

test('error page: has one link and no reason, with HEAD no body, and that of a call is JSON', async () => {
  testApp.app.get('/failing', () => Promise.reject(new Error('an internal detail')));
  for (const [method, url, status] of [
    ['GET', '/no/such/page', 404],
    ['POST', '/no/such/page', 404],
    ['HEAD', '/no/such/page', 404],
    ['GET', '/failing', 500],
  ] as const) {
    const { statusCode, headers, body } = await testApp.app.inject({ url, method });
    expect([method, url, statusCode]).toEqual([method, url, status]);
    expect(headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'x-robots-tag': 'noindex',
      'cache-control': 'no-store',
    });
    const heading = /<h1><bdi lang="en">([^<]*)</.exec(body)?.[1];
    const hrefs = Array.from(body.matchAll(/<a [^>]*href="([^"]*)"/g), ([, href]) => href);
    const whole = ['Unexpected Application Error!', ['/'], false];
    const expected = method === 'HEAD' ? [undefined, [], true] : whole;
    expect([heading, hrefs, body === '']).toEqual(expected);
    expect(body).not.toContain('internal detail');
  }
  const call = await get('/api/no/such/call');
  const error = { error: 'not_found', message: "There's nothing here." };
  expect([call.statusCode, call.json()]).toEqual([404, error]);
});
