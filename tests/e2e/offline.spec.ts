import type { Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import {
  FULL_CARD,
  createOwner,
  sendRequest,
  storeSession,
  uploadPhoto,
} from '#tests/support/owner.ts';
import { startProxy } from '#tests/support/proxy.ts';
import { expectQrCode } from '#tests/support/qr-code.ts';
import { startServer } from '#tests/support/server.ts';
import * as ui from '#tests/support/ui.ts';

test.use({ serviceWorkers: 'allow' });

async function openDashboard(page: Page, origin = ''): Promise<void> {
  await page.goto(`${origin}/dashboard`);
  await ui.expectTexts(page, 'Welcome Asha');
  await ui.waitForOwnerPages(page);
}

const expectPhoto = (page: Page) =>
  expect(page.locator('img.portrait').first()).not.toHaveJSProperty('naturalWidth', 0);

test('offline: the dashboard opens after a cold start', async ({ page, context, phone }) => {
  ui.expectErrors(page, /did not get through/);
  const server = await startServer({ LOG_LEVEL: 'info' });
  const owner = await createOwner(server, phone, FULL_CARD);
  await uploadPhoto(server, owner);
  const contact = { name: 'Ravi', mobile: '98450 12345' };
  await sendRequest(server, '/profile/addContact', { body: { userID: owner._id, contact } });
  await storeSession(page, server, owner);
  await openDashboard(page, server.origin);
  const address = `${server.origin}/user/${owner._id}`;
  await expect.poll(server.output).toContain('"path":"/worker.js"');
  const requested = [...server.output().matchAll(/"path":"([^"]+)"/g)].map(([, path]) => path);
  const profileIndex = requested.indexOf(`/api/user/${owner._id}`);
  expect(profileIndex).toBeGreaterThan(0);
  expect(requested.indexOf('/worker.js')).toBeGreaterThan(profileIndex);

  const alerts = ui.collectAlerts(page);
  const expectDashboard = async () => {
    await ui.expectTexts(page, 'Welcome Asha', /^Offline$/, 'Ravi');
    await expectPhoto(page);
    await expectQrCode(page, address);
  };
  await context.setOffline(true);
  await page.reload();
  await expectDashboard();
  await ui.button(page, 'Copy Link').click();
  await expect.poll(() => alerts).toEqual([`Copied: ${address}`]);
  await ui.link(page, 'E-mail signature').click();
  await expect(page.locator('table img')).not.toHaveJSProperty('naturalWidth', 0);
  // A cold start: no page is open, and nothing answers.
  await page.goto('about:blank');
  await context.setOffline(false);
  await server.stop();
  await page.goto(`${server.origin}/dashboard/`);
  await expectDashboard();
  await server.dispose();
});

test('offline: Edit Profile keeps a draft, and nothing is sent by itself', async ({
  page,
  context,
  server,
  owner,
  call,
}) => {
  ui.expectErrors(page, /did not get through/);
  await uploadPhoto(server, owner);
  await openDashboard(page);
  const alerts = ui.collectAlerts(page);
  const saves: string[] = [];
  page.on('request', (request) => {
    if (/updateUser/.test(request.url())) saves.push(request.url());
  });
  const designation = ui.textbox(page, 'Designation');
  const note = page.getByText('Not saved yet').first();
  await context.setOffline(true);
  await ui.link(page, 'Edit Card').click();
  await ui.expectTexts(page, /^Offline$/, 'Saving needs a network.');
  await expectPhoto(page);
  await designation.fill('Partner');
  await expect(note).toBeVisible();
  await designation.fill('Director');
  await ui.updateChanges(page);
  await ui.expectTexts(page, 'Saving needs a network.');
  saves.splice(0);
  // A cold start.
  await page.goto('about:blank');
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'You have unsaved changes.');
  await call('/user/updateUser/:id', { companyName: 'Elsewhere' });
  await context.setOffline(false);
  await expect(page.getByText('Offline', { exact: true })).toBeHidden();
  await ui.link(page, 'Continue editing').click();
  await expect(designation).toHaveValue('Director');
  await expect(ui.textbox(page, 'Company')).toHaveValue('Elsewhere');
  await expect(page.getByText('Saving needs a network.')).toBeHidden();
  expect([saves, alerts.filter((text) => text !== '')]).toEqual([[], []]);
  await ui.updateChanges(page);
  await expect.poll(() => alerts.at(-1)).toBe('Data updated successfully');
  await expect(note).toBeHidden();
  const saved = { designation: 'Director', companyName: 'Elsewhere' };
  expect(await call('/user/:id')).toMatchObject(saved);
  await page.reload();
  await expect(designation).toHaveValue('Director');
  await expect(note).toBeHidden();

  await context.setOffline(true);
  await page.goto('/dashboard/account');
  await ui.expectTexts(page, 'Your account needs a network.');
  await context.setOffline(false);
  await expect(ui.heading(page, 'Signed in on')).toBeVisible();
});

const storedData = async (page: Page) => ({
  entries: Object.keys(await ui.storedEntries(page)),
  ...(await page.evaluate(async () => ({
    caches: await caches.keys(),
    workers: (await navigator.serviceWorker.getRegistrations()).length,
    local: Object.keys(localStorage),
    session: Object.keys(sessionStorage),
  }))),
});
const NOTHING_STORED = { caches: [], workers: 0, entries: [], local: [], session: [] };

test('offline: the session ends with its data', async ({ page, context, server, phone, owner }) => {
  ui.expectErrors(page, /answered 403/, /logout did not get through/);
  await uploadPhoto(server, owner);
  await openDashboard(page);
  const caches = expect.arrayContaining(['owner', 'pages']) as string[];
  const something = { caches, workers: 1, entries: ['queries'], session: [] };
  await expect.poll(() => storedData(page)).toMatchObject(something);
  // Another tab ends the session on the server; this one gets a 403.
  await page.request.post('/api/user/logout', { headers: { authorization: owner.sessionToken } });
  await page.reload();
  await ui.expectTexts(page, "You've been signed out.");
  await expect.poll(() => storedData(page)).toEqual(NOTHING_STORED);

  const next = await createOwner(server, `97${phone.slice(2)}`, FULL_CARD);
  await uploadPhoto(server, next);
  await storeSession(page, server, next);
  await openDashboard(page);
  await ui.link(page, 'Edit Card').click();
  await ui.textbox(page, 'Designation').fill('Partner');
  await expect.poll(async () => (await storedData(page)).entries).toHaveLength(2);
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'You have unsaved changes.');
  await page.waitForLoadState('networkidle');
  await context.setOffline(true);
  for (const isAccepted of [false, true]) {
    const question = page.waitForEvent('dialog');
    const press = ui.logOut(page);
    const dialog = await question;
    expect(dialog.message()).toContain("You'll lose your changes.");
    expect(dialog.message()).toContain("You can't sign in again until you're back online.");
    await (isAccepted ? dialog.accept() : dialog.dismiss());
    await press;
  }
  await ui.expectTexts(page, "We couldn't load the sign-in. Check your network.");
  await expect.poll(() => storedData(page)).toEqual(NOTHING_STORED);
  // The login page never comes from the worker.
  await expect(page.goto(`${server.origin}/login`)).rejects.toThrow(/ERR_INTERNET_DISCONNECTED/);
});

test('offline: a new release takes over if it is stored', async ({ page, context, phone }) => {
  const [proxy, before, after] = await Promise.all([
    startProxy(),
    startServer(),
    startServer({ PRODUCT_NAME: 'Patra' }),
  ]);
  proxy.add(before.origin);
  const owner = await createOwner(before, phone, FULL_CARD);
  await uploadPhoto(before, owner);
  await expect.poll(() => proxy.isReady(before.origin)).toBe(true);
  const origin = { ...before, origin: proxy.origin };
  await storeSession(page, origin, owner);
  await openDashboard(page, proxy.origin);
  // This page makes no calls: the second server does not know the owner.
  const address = `${proxy.origin}/dashboard/analytics`;
  await page.goto(address);
  const expectTitle = (name: string) => expect(page).toHaveTitle(`Analytics - ${name}`);
  // Two releases answer alternately, so that none can be stored completely.
  proxy.add(after.origin);
  await expect.poll(() => proxy.isReady(after.origin)).toBe(true);
  await expect.poll(() => ui.updateWorker(page)).toBe('redundant');
  await page.reload();
  await expectTitle('Tessera');
  proxy.remove(before.origin);
  expect(await ui.updateWorker(page)).toBe('installed');
  await page.reload();
  await expectTitle('Tessera');
  await page.goto('about:blank');
  await expect(async () => {
    const next = await context.newPage();
    await next.goto(address);
    const title = await next.title();
    await next.close();
    expect(title).toBe('Analytics - Patra');
  }).toPass();
  proxy.close();
  await Promise.all([before.dispose(), after.dispose()]);
});

test('offline: a browser that blocks the storage shows the dashboard', async ({ page }) => {
  ui.expectErrors(page, /was not stored for use/, /typed before could not be read/);
  await page.addInitScript(() => {
    CacheStorage.prototype.open = () =>
      Promise.reject(new DOMException('Blocked', 'SecurityError'));
    IDBFactory.prototype.open = () => {
      throw new DOMException('Blocked', 'SecurityError');
    };
  });
  const isLogged = page.waitForEvent('console', {
    predicate: (m) => /was not stored/.test(m.text()),
  });
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Welcome Asha', 'Nobody has left their details yet.');
  await isLogged;
});
