import { createHash } from 'node:crypto';

import { expect, test } from 'vitest';

import { browserSettings } from '#contract/browser-settings.ts';
import { CARD_SCRIPTS, useTestApp } from '#tests/support/app.ts';
import { PRODUCT_NAME_PLACEHOLDER } from '#contract/owner-document.ts';
import { openTestSqlite } from '#tests/support/database.ts';

const OWNER_PATHS = ['', '/contacts', '/analytics', '/edit'].map((path) => `/dashboard${path}`);
const DOCUMENTS = [['/', '/login'], ['/ftue'], OWNER_PATHS].map((paths) => ({
  paths,
  title: 'A page',
  html: `<p class="wordmark">${PRODUCT_NAME_PLACEHOLDER}</p>`,
  scripts: ['/assets/first-0e1f.js', '/assets/main-1a2b.js'],
  preloads: ['/assets/qr-5a6b.js'],
  latePreloads: ['/assets/home-3c4d.js'],
  files: ['/assets/main-1a2b.js', '/assets/home-3c4d.js'],
}));

const web = {
  documents: DOCUMENTS,
  style: 'body{margin:0}',
  cardScripts: CARD_SCRIPTS,
  loginScript: '',
  workerScript: '/* worker */',
  assets: new Map([
    ['main-1a2b.js', { contentType: 'text/javascript; charset=utf-8', content: Buffer.from('1') }],
  ]),
};
const { testApp } = useTestApp(openTestSqlite, {
  environment: { PRODUCT_NAME: 'A</script><b>&$&\u2028' },
  dependencies: { web },
});

async function settingsAt(url: string) {
  const { statusCode, headers, body } = await testApp.app.inject({ url });
  expect(statusCode).toBe(200);
  const [, json = ''] =
    /<script type="application\/json" id="settings">(.*?)<\/script>/s.exec(body) ?? [];
  return { headers, body, settings: browserSettings.parse(JSON.parse(json)) };
}

test('owner’s pages: are one application, not indexed, and the login page alone has the provider', async () => {
  const login = ['/', '/login', '/login/'];
  const others = ['/ftue', '/ftue?phone=1', '/ftue/', '/dashboard', '/dashboard/'].concat([
    '/dashboard/contacts',
    '/dashboard/analytics/',
    '/dashboard/edit',
  ]);
  for (const url of [...login, ...others]) {
    const { headers, body, settings } = await settingsAt(url);
    const isLogin = login.includes(url);
    expect(settings.provider?.kind).toBe(isLogin ? 'embedded' : undefined);
    const preload = '<link rel="preload" as="script" href="/otp/embedded.js"/>';
    expect(body.includes(preload)).toBe(isLogin);
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("script-src 'self';");
    // The login page has no service worker.
    expect(policy).toContain(`worker-src ${isLogin ? "'none'" : "'self'"};`);
  }
  for (const url of ['/dashboard/nothing', '/dashboard/edit/nothing', '/ftue/nothing'])
    expect([url, (await testApp.app.inject({ url })).statusCode]).toEqual([url, 404]);
});

test('owner’s pages: are complete HTML with their style inlined, and preload their modules', async () => {
  const { headers, body } = await settingsAt('/dashboard');
  const name = 'A&lt;/script&gt;&lt;b&gt;&amp;$&amp;';
  for (const part of [
    `<div id="application"><p class="wordmark">${name}</p></div>`,
    '<style data-precedence="base">body{margin:0}</style>',
    '<script type="module" src="/assets/first-0e1f.js"></script>',
    '<link rel="modulepreload" href="/assets/qr-5a6b.js"/>',
    // The first script and its modules load before the others.
    '<script type="module" src="/assets/main-1a2b.js" fetchPriority="low">',
    '<link rel="modulepreload" href="/assets/home-3c4d.js" fetchPriority="low"/>',
  ])
    expect(body).toContain(part);
  const hash = createHash('sha256').update('body{margin:0}').digest('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`);
});

test('owner’s pages: settings are escaped in the script element', async () => {
  const { body, settings } = await settingsAt('/login');
  expect(settings.productName).toBe('A</script><b>&$&');
  expect(body).not.toContain('<b>');
  expect(body).not.toContain('\u2028');
});

test('files: built ones are cached for a year, because their names change with their content, and networks have icons', async () => {
  const built = await testApp.app.inject({ url: '/assets/main-1a2b.js' });
  expect(built.body).toBe('1');
  expect(built.headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
  });
  expect((await testApp.app.inject({ url: '/assets/other.js' })).statusCode).toBe(404);
  const { headers, body } = await testApp.app.inject({ url: '/icons/whatsapp.svg' });
  expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  expect(body).toMatch(/^<svg xmlns=/);
});

test('service worker: lists the documents and files below /dashboard, and is revalidated', async () => {
  const { headers, body } = await testApp.app.inject('/worker.js');
  expect(headers).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': expect.stringContaining("connect-src 'self'"),
  });
  const [, list = '', script] = /^self\.files=(.*);\n(.*)$/s.exec(body) ?? [];
  expect(script).toBe('/* worker */');
  const entries = JSON.parse(list) as { url: string; integrity?: string }[];
  const files = ['/assets/main-1a2b.js', '/assets/home-3c4d.js'];
  expect(entries.map(({ url }) => url)).toEqual([...OWNER_PATHS, '/favicon.svg', ...files]);
  for (const { url, integrity } of entries.slice(0, OWNER_PATHS.length + 1)) {
    const document = await testApp.app.inject(url);
    const hash = createHash('sha256').update(document.body).digest('base64');
    expect([url, integrity]).toEqual([url, `sha256-${hash}`]);
  }
});
