import type { BrowserContext, Page } from '@playwright/test';

import { DAY_MS } from '#domain/duration.ts';
import { expect, test } from '#tests/support/browser-test.ts';
import { buildNextVersion } from '#tests/support/next-version.ts';
import {
  FULL_CARD,
  createOwner,
  sendRequest,
  storeSession,
  uploadPhoto,
} from '#tests/support/owner.ts';
import { startProxy } from '#tests/support/proxy.ts';
import { expectQrCode } from '#tests/support/qr-code.ts';
import { ENTRY, startServer } from '#tests/support/server.ts';
import * as ui from '#tests/support/ui.ts';

test.use({ serviceWorkers: 'allow' });

type Change = (kept: { buster: string; clientState: { queries: KeptQuery[] } }) => object;
type KeptQuery = { queryKey: [string]; state: { data: unknown; dataUpdatedAt: number } };

/** Changes what is kept, as another release or another time would have it. */
async function changeKept(page: Page, change: Change): Promise<void> {
  const kept = JSON.parse(
    String((await ui.storedEntries(page))['queries']),
  ) as Parameters<Change>[0];
  const value = JSON.stringify(change(kept));
  await page.evaluate(async (text) => {
    const opening = indexedDB.open('keyval-store');
    await new Promise((resolve) => opening.addEventListener('success', resolve));
    const transaction = opening.result.transaction('keyval', 'readwrite');
    transaction.objectStore('keyval').put(text, 'queries');
    // The page, which is closed next, may not write its own value over this one.
    const write = Object.getOwnPropertyDescriptor(IDBObjectStore.prototype, 'put')
      ?.value as IDBObjectStore['put'];
    IDBObjectStore.prototype.put = function put(entry: unknown, key) {
      return key === 'queries'
        ? (this.get(key) as IDBRequest<IDBValidKey>)
        : write.call(this, entry, key);
    };
    await new Promise((resolve) => transaction.addEventListener('complete', resolve));
    opening.result.close();
  }, value);
}

/** Closes every tab, and opens one with the new version, which takes over some time after that. */
async function openNext(context: BrowserContext, address: string, isNext: boolean): Promise<Page> {
  for (const page of context.pages()) await page.close();
  let page = await context.newPage();
  await expect(async () => {
    await page.close();
    page = await context.newPage();
    await page.goto(address);
    await expect(page.locator('html[data-next]')).toHaveCount(isNext ? 1 : 0, { timeout: 1000 });
  }).toPass();
  return page;
}

async function openDashboard(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await ui.expectTexts(page, 'Welcome Asha', 'Ravi');
  await ui.waitForOwnerPages(page);
}

/** Opens a view for the first time, whose chunks only the version of the tab has. */
async function openAnalytics(page: Page, isNext: boolean): Promise<void> {
  await ui.button(page, 'Menu').click();
  await ui.link(page, 'Analytics').click();
  await expect(page.locator('.analytics-chart svg')).toBeVisible();
  await expect(page.locator('html[data-next]')).toHaveCount(isNext ? 1 : 0);
}

async function expectDraft(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/edit`);
  await expect(ui.textbox(page, 'Designation')).toHaveValue('Partner');
  await ui.expectTexts(page.locator('.edit-end'), 'Not saved yet');
}

let next: ReturnType<typeof buildNextVersion>;
test.beforeAll(() => {
  next = buildNextVersion();
});
test.afterAll(() => next.remove());

/** Serves this version at an address that the next version can have later. */
async function startUpgrade(phone: string) {
  const proxy = await startProxy();
  const serve = async (environment: Record<string, string>, entry: string) => {
    const server = await startServer({ VIEWS: 'analytics', ...environment }, entry);
    proxy.add(server.origin);
    await expect.poll(() => proxy.isReady(server.origin)).toBe(true);
    return server;
  };
  const before = await serve({}, ENTRY);
  const owner = await createOwner(before, phone, FULL_CARD);
  await uploadPhoto(before, owner);
  const contact = { name: 'Ravi', mobile: '98450 12345' };
  await sendRequest(before, '/profile/addContact', { body: { userID: owner._id, contact } });
  const visit = { method: 'POST', headers: { 'user-agent': ui.PHONE_USER_AGENT } };
  await fetch(`${before.origin}/api/profile/countVisit/${owner._id}/Open`, visit);
  return {
    proxy,
    owner,
    address: `${proxy.origin}/dashboard`,
    signIn: (page: Page) => storeSession(page, { ...before, origin: proxy.origin }, owner),
    upgrade: async () => {
      await before.stop();
      proxy.remove(before.origin);
      return serve({ DATA_DIR: before.dataDir }, next.entry);
    },
  };
}

test('upgrade: a tab of the version before opens each page, from the device or after one reload', async ({
  page,
  browser,
  phone,
}) => {
  const { proxy, address, signIn, upgrade } = await startUpgrade(phone);
  await signIn(page);
  await openDashboard(page, address);
  const plain = await browser.newPage({ serviceWorkers: 'block' });
  await signIn(plain);
  await plain.goto(`${address}/edit`);
  await ui.textbox(plain, 'Designation').fill('Partner');
  await expect.poll(() => ui.storedKeys(plain)).toContain('draft-edit');
  await plain.goto(address);
  await ui.expectTexts(plain, 'Welcome Asha');
  const after = await upgrade();
  await openAnalytics(page, false);
  await openAnalytics(plain, true);
  await expectDraft(plain, address);
  await plain.close();
  proxy.close();
  await after.dispose();
});

test('upgrade: the next version opens without a network, also long after the last use', async ({
  page: first,
  context,
  phone,
}) => {
  const { proxy, owner, address, signIn, upgrade } = await startUpgrade(phone);
  await signIn(first);
  await openDashboard(first, address);
  const after = await upgrade();
  await openDashboard(first, address);
  expect(await ui.updateWorker(first)).toBe('installed');
  // Each release before has written its own version here.
  await changeKept(first, (kept) => ({ ...kept, buster: '2.0.0' }));
  const link = `${proxy.origin}/user/${owner._id}`;
  const expectCard = async (page: Page) => {
    await ui.expectTexts(page, 'Welcome Asha', /^Offline$/);
    await expect(page.locator('img.portrait').first()).not.toHaveJSProperty('naturalWidth', 0);
    await expectQrCode(page, link);
  };
  await context.setOffline(true);
  let page = await openNext(context, address, true);
  await expectCard(page);
  await ui.expectTexts(page, 'Ravi');

  const eightDaysAgo = Date.now() - 8 * DAY_MS;
  await changeKept(page, (kept) => {
    for (const { state } of kept.clientState.queries) state.dataUpdatedAt = eightDaysAgo;
    return { ...kept, timestamp: eightDaysAgo };
  });
  page = await openNext(context, address, true);
  await expectCard(page);
  await ui.expectTexts(page, 'Your connections need a network.');
  await expect(page.getByText('Ravi')).toHaveCount(0);

  // What this version cannot read stays until something newer replaces it; the code needs the id alone.
  await changeKept(page, (kept) => {
    for (const { queryKey, state } of kept.clientState.queries)
      if (queryKey[0] === '/user/:id') state.data = { body: { card: 'of another shape' } };
    return kept;
  });
  page = await openNext(context, `${address}/edit`, true);
  await ui.expectTexts(page, "We couldn't load your card. Check your network.");
  await expectQrCode(page, link);
  expect(page.url()).toBe(`${address}/edit`);
  await ui.button(page, 'Back').click();
  await ui.expectTexts(page, "We couldn't load your card. Check your network.");
  await expect(page).toHaveURL(/\/dashboard$/);
  const kept = async () => String((await ui.storedEntries(page))['queries']);
  await expect.poll(kept).toContain('of another shape');
  await ui.button(page, 'Try again').click();
  await ui.expectTexts(page, "We couldn't load your card. Check your network.");
  await context.setOffline(false);
  await ui.expectTexts(page, 'Welcome Asha', 'Ravi');
  await expect.poll(kept).not.toContain('of another shape');
  proxy.close();
  await after.dispose();
});
