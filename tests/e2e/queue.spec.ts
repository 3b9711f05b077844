import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BrowserContext, Page, Route } from '@playwright/test';

import { expect, ownerTest } from '#tests/support/browser-test.ts';
import { storeSession } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

async function submit(page: Page, name: string, value: string): Promise<void> {
  await ui.textbox(page, name).fill(value);
  await ui.updateChanges(page);
}

/** Submits it, and waits until the page says that it is kept. */
async function keep(page: Page, name: string, value: string): Promise<void> {
  await submit(page, name, value);
  await page.getByText('Kept on this device. Sent when you are online.').waitFor();
}

async function openEdit(page: Page, origin = ''): Promise<void> {
  await page.goto(`${origin}/dashboard/edit`);
  await ui.textbox(page, 'Designation').waitFor();
}

type Started = Readonly<{ context: BrowserContext; page: Page }>;

/** With a browser of the owner that can be ended as by the system, and started again with its disk. */
const test = ownerTest.extend<{ start: () => Promise<Started> }>({
  start: async ({ playwright, launchOptions, server, owner }, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'tessera-browser-'));
    const contexts: BrowserContext[] = [];
    await use(async () => {
      const context = await playwright.chromium.launchPersistentContext(folder, launchOptions);
      contexts.push(context);
      const page = await context.newPage();
      await storeSession(page, server, owner);
      return { context, page };
    });
    await contexts.at(-1)?.close();
    await rm(folder, { recursive: true });
  },
});

async function crash({ context, page }: Started): Promise<void> {
  const ended = context.waitForEvent('close');
  const session = await context.newCDPSession(page);
  // The command has no answer.
  void session.send('Browser.crash').catch(() => undefined);
  await ended;
}

test('queued changes: survive the end of the browser', async ({ server, owner, call, start }) => {
  const first = await start();
  await first.context.addInitScript(() => {
    const transaction = Reflect.get(IDBDatabase.prototype, 'transaction');
    IDBDatabase.prototype.transaction = function (this: IDBDatabase, ...args) {
      // A crash of the machine too.
      if (args[2]?.durability !== 'strict') throw new Error('Written too late');
      return transaction.apply(this, args);
    };
  });
  await openEdit(first.page, server.origin);
  await first.context.setOffline(true);
  await keep(first.page, 'Company', 'Rao');
  await crash(first);
  const second = await start();
  await second.page.goto(`${server.origin}/dashboard`);
  await expect.poll(() => call('/user/:id')).toMatchObject({ companyName: 'Rao' });
  await openEdit(second.page, server.origin);
  await second.context.setOffline(true);
  await ui.textbox(second.page, 'Designation').pressSequentially(' and Partner');
  const readStored = () =>
    second.page.evaluate(async (key) => {
      const opening = indexedDB.open('owner');
      await new Promise((resolve) => opening.addEventListener('success', resolve));
      const request = opening.result.transaction('queue').objectStore('queue').get(key);
      opening.result.close();
      await new Promise((resolve) => request.addEventListener('success', resolve));
      return request.result as unknown;
    }, `edit-${owner._id}`);
  const typed = expect.stringContaining('and Partner');
  await expect.poll(readStored, { timeout: 2_000 }).toHaveProperty('designation', typed);
  await crash(second);
  const { page } = await start();
  await openEdit(page, server.origin);
  await expect(ui.textbox(page, 'Designation')).toHaveValue(/and Partner/);
});

test('queued changes: another tab’s save does not remove them', async ({ page, context, call }) => {
  const alerts = ui.collectAlerts(page);
  const other = await context.newPage();
  await openEdit(page);
  await openEdit(other);
  // The other tab alone cannot reach the service.
  await other.route('**/*', (route) => route.abort());
  await keep(other, 'Company', 'Rao');
  await submit(page, 'Designation', 'Partner');
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  await other.close();
  await page.goto('/dashboard');
  const both = { designation: 'Partner', companyName: 'Rao' };
  await expect.poll(() => call('/user/:id')).toMatchObject(both);
});

/** Tells the page that its network is lost or back. Requests that it has sent go on. */
const setOnline = (page: Page, isOnline: boolean) =>
  page.evaluate((value) => {
    Object.defineProperty(navigator, 'onLine', { value, configurable: true });
    window.dispatchEvent(new Event(value ? 'online' : 'offline'));
  }, isOnline);

test('queued changes: newer ones are sent after those on the way', async ({ page, call }) => {
  ui.collectAlerts(page);
  await openEdit(page);
  await setOnline(page, false);
  await keep(page, 'Designation', 'Partner');
  const sent: (string | undefined)[] = [];
  const held: Route[] = [];
  page.on('request', (request) => {
    if (!request.url().includes('/updateUser/')) return;
    sent.push((request.postDataJSON() as { designation?: string }).designation);
  });
  await page.route('**/updateUser/*', (route) => void held.push(route), { times: 1 });
  await page.goto('/dashboard');
  await expect.poll(() => held.length).toBe(1);
  await setOnline(page, false);
  await ui.link(page, 'Edit Card').click();
  await keep(page, 'Designation', 'Chair');
  await setOnline(page, true);
  await expect(page.getByText('Offline', { exact: true })).toBeHidden();
  expect(sent).toEqual(['Partner']);
  await held[0]?.continue();
  await expect.poll(() => sent).toEqual(['Partner', 'Chair']);
  await expect(page.getByText(/^Kept on this device/)).toHaveCount(0);
  expect(await call('/user/:id')).toMatchObject({ designation: 'Chair' });
});
