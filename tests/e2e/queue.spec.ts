import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContext, Page, Route } from '@playwright/test';

import { collectAlerts, expect, test } from '#tests/support/browser-test.ts';
import { sendRequest, storeSession } from '#tests/support/owner.ts';

// Changes that are submitted without a network (docs/product.md#offline).

const KEPT = 'Kept on this device. Sent when you are online.';

async function submit(page: Page, name: string, value: string): Promise<void> {
  await page.getByRole('textbox', { name, exact: true }).fill(value);
  await page.getByRole('button', { name: 'Update Changes' }).first().click();
}

async function openEdit(page: Page, origin: string): Promise<void> {
  await page.goto(`${origin}/dashboard/edit`);
  await page.getByRole('textbox', { name: 'Designation' }).waitFor();
}

/** A browser that can be ended as by the system, and started again with what was on its disk. */
const crashTest = test.extend<{ launch: () => Promise<BrowserContext> }>({
  launch: async ({ playwright, launchOptions }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'tessera-browser-'));
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await playwright.chromium.launchPersistentContext(folder, launchOptions);
      contexts.push(context);
      return context;
    });
    await contexts.at(-1)?.close();
    await rm(folder, { recursive: true });
  },
});

async function crash(context: BrowserContext, page: Page): Promise<void> {
  const ended = context.waitForEvent('close');
  const session = await context.newCDPSession(page);
  // The command has no answer.
  void session.send('Browser.crash').catch(() => undefined);
  await ended;
}

crashTest(
  'queued changes: survive the end of the browser as soon as the page says so',
  async ({ server, owner, launch }) => {
    const first = await launch();
    await first.addInitScript(() => {
      const transaction = Reflect.get(IDBDatabase.prototype, 'transaction');
      IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args) {
        // A crash of the machine too.
        if (args[2]?.durability !== 'strict') throw new Error('Written too late');
        return transaction.apply(this, args);
      };
    });
    const page = await first.newPage();
    await storeSession(page, server, owner);
    await openEdit(page, server.origin);
    await first.setOffline(true);
    await submit(page, 'Designation', 'Partner');
    await page.getByText(KEPT).waitFor();
    await crash(first, page);

    const next = await (await launch()).newPage();
    await storeSession(next, server, owner);
    await next.goto(`${server.origin}/dashboard`);
    await expect
      .poll(() => sendRequest(server, `/user/${owner._id}`))
      .toMatchObject({ designation: 'Partner' });
  },
);

const TYPED_ON_DISK_MS = 2000;

crashTest(
  'typed text: survives the end of the browser two seconds later',
  async ({ server, owner, launch }) => {
    const first = await launch();
    const page = await first.newPage();
    await storeSession(page, server, owner);
    await openEdit(page, server.origin);
    await first.setOffline(true);
    await page.getByRole('textbox', { name: 'Designation' }).pressSequentially(' and Partner');
    const readStored = () =>
      page.evaluate(
        (key) =>
          new Promise<unknown>((resolve) => {
            const opening = indexedDB.open('owner');
            opening.addEventListener('success', () => {
              const request = opening.result.transaction('queue').objectStore('queue').get(key);
              request.addEventListener('success', () => resolve(request.result));
              opening.result.close();
            });
          }),
        `edit-${owner._id}`,
      );
    await expect
      .poll(readStored, { timeout: TYPED_ON_DISK_MS })
      .toHaveProperty('designation', expect.stringContaining('and Partner'));
    await crash(first, page);

    const next = await (await launch()).newPage();
    await storeSession(next, server, owner);
    await openEdit(next, server.origin);
    await expect(next.getByRole('textbox', { name: 'Designation' })).toHaveValue(/and Partner/);
  },
);

test('queued changes: a save of another tab does not remove them', async ({
  ownerPage: page,
  context,
  server,
  owner,
}) => {
  const alerts = collectAlerts(page);
  const other = await context.newPage();
  await openEdit(page, server.origin);
  await openEdit(other, server.origin);
  // The other tab alone cannot reach the service.
  await other.route('**/*', (route) => route.abort());
  await submit(other, 'Company', 'Rao');
  await other.getByText(KEPT).waitFor();
  await submit(page, 'Designation', 'Partner');
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  await other.close();

  await page.goto(`${server.origin}/dashboard`);
  await expect
    .poll(() => sendRequest(server, `/user/${owner._id}`))
    .toMatchObject({ designation: 'Partner', companyName: 'Rao' });
});

/** Tells the page that its network is lost or back. Requests that it has sent go on. */
const setOnline = (page: Page, isOnline: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(navigator, 'onLine', { value, configurable: true });
    window.dispatchEvent(new Event(value ? 'online' : 'offline'));
  }, isOnline);

test('queued changes: newer ones are sent after those that the dashboard is still sending', async ({
  ownerPage: page,
  server,
  owner,
}) => {
  collectAlerts(page);
  await openEdit(page, server.origin);
  await setOnline(page, false);
  await submit(page, 'Designation', 'Partner');
  await page.getByText(KEPT).waitFor();

  const sent: (string | undefined)[] = [];
  const held: Route[] = [];
  page.on('request', (request) => {
    if (!request.url().includes('/updateUser/')) return;
    sent.push((request.postDataJSON() as { designation?: string }).designation);
  });
  await page.route('**/updateUser/*', (route) => void held.push(route), { times: 1 });
  await page.goto(`${server.origin}/dashboard`);
  await expect.poll(() => held.length).toBe(1);
  await setOnline(page, false);
  await page.getByRole('link', { name: 'Edit Card' }).click();
  await submit(page, 'Designation', 'Chair');
  await page.getByText(KEPT).waitFor();
  await setOnline(page, true);
  await expect(page.getByText('Offline', { exact: true })).toBeHidden();
  expect(sent).toEqual(['Partner']);
  await held[0]?.continue();
  await expect.poll(() => sent).toEqual(['Partner', 'Chair']);
  await expect(page.getByText(KEPT)).toHaveCount(0);
  expect(await sendRequest(server, `/user/${owner._id}`)).toMatchObject({ designation: 'Chair' });
});
