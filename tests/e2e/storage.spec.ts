import type { Page } from '@playwright/test';

import { PATHS } from '#domain/path.ts';
import { expect, test } from '#tests/support/browser-test.ts';
import { storeSession } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const SENTENCE = 'Allow this site to store data, then try again.';

/** As Chromium with all cookies and site data blocked. */
const blockStorage = (page: Page) =>
  page.addInitScript(() => {
    const blocked: PropertyDescriptor = {
      get() {
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      },
    };
    const names = ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'BroadcastChannel'];
    for (const name of names) Object.defineProperty(window, name, blocked);
    Object.defineProperty(Navigator.prototype, 'serviceWorker', blocked);
  });

/** While the page has `isFull`. */
const fillStorage = (page: Page) =>
  page.addInitScript(() => {
    const setItem = Reflect.get<Storage, 'setItem'>(Storage.prototype, 'setItem');
    Storage.prototype.setItem = function setOrThrow(key, value) {
      if ('isFull' in window) throw new DOMException('It is full.', 'QuotaExceededError');
      setItem.call(this, key, value);
    };
  });

const setFull = (page: Page, isFull: boolean) =>
  page.evaluate((value) => {
    if (value) Object.assign(window, { isFull: true });
    else Reflect.deleteProperty(window, 'isFull');
  }, isFull);

const expectNoSkeleton = (page: Page) =>
  expect(page.locator('.skeleton').filter({ visible: true })).toHaveCount(0);

for (const path of [PATHS.login, PATHS.start, PATHS.dashboard, PATHS.onboarding, PATHS.account]) {
  test(`storage: where it is blocked, ${path} says so`, async ({ page }) => {
    ui.expectErrors(page, /probe was not stored/);
    await blockStorage(page);
    await page.goto(path);
    await ui.expectTexts(page, SENTENCE);
    await expect(ui.button(page, 'Try again')).toBeVisible();
    await expectNoSkeleton(page);
  });
}

test('storage: without room no code is used up', async ({ page, server, phone }) => {
  ui.expectErrors(page, /(probe|otp-sent-code) was not stored/);
  await fillStorage(page);
  await page.addInitScript(() => {
    if (new URLSearchParams(location.search).has('full')) Object.assign(window, { isFull: true });
  });
  await page.goto('/login?full');
  await ui.expectTexts(page, SENTENCE);
  await expect(ui.textbox(page, 'Phone number')).toHaveCount(0);

  const calls: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/api/otp/')) calls.push(pathname);
  });
  await page.goto('/login');
  await ui.textbox(page, 'Phone number').fill(phone);
  await ui.button(page, 'Send code').click();
  await expect(ui.textbox(page, 'Code')).toBeVisible();
  await setFull(page, true);
  const code = await server.codeFor(`+91${phone}`);
  await ui.textbox(page, 'Code').fill(code);
  await ui.expectTexts(page, SENTENCE);
  expect(calls).toEqual(['/api/otp/send']);
  await setFull(page, false);
  // It is full between the code and the session.
  await page.route('**/api/otp/verify', async (route) => {
    const response = await route.fetch();
    await setFull(page, true);
    await route.fulfill({ response });
  });
  await ui.button(page, 'Try again').click();
  await expect(ui.textbox(page, 'Code')).toBeHidden();
  await ui.expectTexts(page, SENTENCE);
  expect(calls).toEqual(['/api/otp/send', '/api/otp/verify']);
  await setFull(page, false);
  await ui.button(page, 'Try again').click();
  await page.waitForURL(/\/ftue/);
});

test('storage: without room the pages of an owner work', async ({ page, server, owner }) => {
  ui.expectErrors(page, /contactsSeen was not stored/);
  await fillStorage(page);
  await storeSession(page, server, owner);
  await page.addInitScript(() => Object.assign(window, { isFull: true }));
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Welcome Asha', 'Nobody has left their details yet.');
});

test('storage: a database that never answers ends no page', async ({ page, server, phone }) => {
  test.slow();
  ui.expectErrors(page, /typed before could not be read/, /in this page only/);
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => new EventTarget() as IDBOpenDBRequest;
  });
  await page.goto('/login');
  await ui.submitPhone(page, server, phone);
  await ui.textbox(page, 'Name').fill('Asha Rao');
  await page.goto('/dashboard/edit');
  await expect(ui.textbox(page, 'Designation')).toBeVisible();
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Nobody has left their details yet.');
  await ui.logOut(page);
  await ui.waitForLoginPage(page);
});

for (const [name, body] of [
  ['throws before its first line', "throw new Error('Broken');"],
  ['never arrives', null],
] as const) {
  test(`skeleton: ends where the script ${name}`, async ({ context, page, owner, server }) => {
    await storeSession(page, server, owner);
    await context.route('**/assets/*.js', async (route) => {
      if (body !== null) await route.fulfill({ contentType: 'text/javascript', body });
    });
    const paths = [PATHS.login, PATHS.dashboard, PATHS.onboarding, PATHS.accountVerify];
    const checks = paths.map(async (path) => {
      const each = await context.newPage();
      await each.goto(path, { waitUntil: 'commit' });
      await expect(each.locator('.skeleton').first()).toBeVisible();
      await ui.expectTexts(each, 'Check your network, or whether something is blocking it.');
      await expect(ui.link(each, 'Try again')).toBeVisible();
      await expectNoSkeleton(each);
      await each.close();
    });
    await Promise.all(checks);
  });
}

test('sign-in: a file that does not arrive is requested again', async ({ page, server, phone }) => {
  ui.expectErrors(page, /The token was not exchanged/);
  await page.route('**/assets/exchange-*', (route) => route.abort());
  await page.goto('/login');
  await ui.textbox(page, 'Phone number').fill(phone);
  await ui.button(page, 'Send code').click();
  await ui.textbox(page, 'Code').fill(await server.codeFor(`+91${phone}`));
  await ui.expectTexts(page, "We couldn't finish signing you in just now.");
  await expectNoSkeleton(page);
  await page.unroute('**/assets/exchange-*');
  await ui.button(page, 'Try again').click();
  await page.waitForURL(/\/ftue/);
});
