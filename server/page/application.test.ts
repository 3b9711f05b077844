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
  const json = body
    .split('<script type="application/json" id="settings">')[1]
    ?.split('</script>')[0];
  return { headers, body, settings: browserSettings.parse(JSON.parse(json ?? '')) };
}

test('owner’s pages: are one application, not indexed, with scripts of this origin only', async () => {
  for (const url of [
    '/ftue',
    '/ftue?phone=1',
    '/ftue/',
    '/dashboard',
    '/dashboard/',
    '/dashboard/contacts',
    '/dashboard/analytics/',
    '/dashboard/edit',
  ]) {
    const { headers, settings } = await settingsAt(url);
    expect(settings.provider).toBeUndefined();
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'cache-control': 'no-cache',
      'content-type': 'text/html; charset=utf-8',
    });
    expect(headers['content-security-policy']).toContain("script-src 'self';");
  }
});

test('owner’s pages: an unknown path is 404', async () => {
  for (const url of ['/dashboard/nothing', '/dashboard/edit/nothing', '/ftue/nothing']) {
    const { statusCode, body } = await testApp.app.inject({ url });
    expect([url, statusCode]).toEqual([url, 404]);
    expect(body).toContain('Unexpected Application Error!');
  }
});

test('owner’s pages: only the login page has the provider’s settings and preloads its script', async () => {
  const preload = '<link rel="preload" as="script" href="/otp/embedded.js"/>';
  for (const url of ['/', '/login', '/login/']) {
    const { headers, body, settings } = await settingsAt(url);
    expect(settings.provider?.kind).toBe('embedded');
    expect(headers['x-robots-tag']).toBe('noindex');
    expect(body).toContain(preload);
  }
  expect((await settingsAt('/dashboard')).body).not.toContain('embedded.js');
});

test('owner’s pages: are complete HTML with their style inlined, and preload their modules', async () => {
  const { headers, body } = await settingsAt('/dashboard');
  const name = 'A&lt;/script&gt;&lt;b&gt;&amp;$&amp;';
  expect(body).toContain(`<div id="application"><p class="wordmark">${name}</p></div>`);
  expect(body).toContain('<style data-precedence="base">body{margin:0}</style>');
  expect(body).toContain('<script type="module" src="/assets/first-0e1f.js"></script>');
  expect(body).toContain('<link rel="modulepreload" href="/assets/qr-5a6b.js"/>');
  // The first script and its modules load before the others.
  expect(body).toContain('<script type="module" src="/assets/main-1a2b.js" fetchPriority="low">');
  expect(body).toContain(
    '<link rel="modulepreload" href="/assets/home-3c4d.js" fetchPriority="low"/>',
  );
  const hash = createHash('sha256').update('body{margin:0}').digest('base64');
  expect(headers['content-security-policy']).toContain(`style-src 'self' 'sha256-${hash}';`);
});

test('owner’s pages: settings are escaped in the script element', async () => {
  const { body, settings } = await settingsAt('/login');
  expect(settings.productName).toBe('A</script><b>&$&');
  expect(body).not.toContain('<b>');
  expect(body).not.toContain('\u2028');
});

test('built files: are cached for a year, because their names change with their content', async () => {
  const { headers, body } = await testApp.app.inject({ url: '/assets/main-1a2b.js' });
  expect([body, headers['content-type'], headers['cache-control']]).toEqual([
    '1',
    'text/javascript; charset=utf-8',
    'public, max-age=31536000, immutable',
  ]);
  expect((await testApp.app.inject({ url: '/assets/other.js' })).statusCode).toBe(404);
});

test('network icons: are available as files', async () => {
  const { headers, body } = await testApp.app.inject({ url: '/icons/whatsapp.svg' });
  expect(headers['content-type']).toBe('image/svg+xml; charset=utf-8');
  expect(body).toMatch(/^<svg xmlns=/);
});

test('service worker: lists the documents and files below /dashboard, and is revalidated', async () => {
  const { statusCode, headers, body } = await testApp.app.inject('/worker.js');
  expect([statusCode, headers['content-type'], headers['cache-control']]).toEqual([
    200,
    'text/javascript; charset=utf-8',
    'no-cache',
  ]);
  expect(headers['content-security-policy']).toContain("connect-src 'self'");
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

test('service worker: only pages below /dashboard may have one', async () => {
  for (const [url, source] of [
    ['/dashboard', "'self'"],
    ['/login', "'none'"],
  ] as const) {
    const { headers } = await testApp.app.inject(url);
    expect(headers['content-security-policy']).toContain(`worker-src ${source};`);
  }
});
