import type { Locator, Page, Route } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { FULL_CARD, FULL_CARD_LINES } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import { expectQrCode } from '#tests/support/qr-code.ts';
import type { RunningServer } from '#tests/support/server.ts';
import * as ui from '#tests/support/ui.ts';

const SMALLEST_PHONE = { width: 360, height: 640 };
const scanned = ({ origin }: Pick<RunningServer, 'origin'>, { _id }: Owner) =>
  new RegExp(`^${origin}/user/${_id}\\?s=[0-9A-Za-z]{8}$`);
const opener = (page: Page) => ui.button(page, 'Show QR code full screen');
const screen = (page: Page) => ui.dialog(page, 'QR code');

test('QR code: is whole in the view of every phone', async ({ page, server, owner, call }) => {
  await page.setViewportSize(SMALLEST_PHONE);
  for (const texts of [{ name: 'Padmanabhan Ramakrishnan' }, { name: '', phone: '' }]) {
    await call('/user/updateUser/:id', texts);
    await page.goto('/dashboard');
    await page.getByText('Start building connections!').waitFor();
    const box = await opener(page).boundingBox();
    expect(box?.width).toBeGreaterThanOrEqual(136);
    expect((box?.y ?? Infinity) + (box?.height ?? 0)).toBeLessThanOrEqual(SMALLEST_PHONE.height);
    await expectQrCode(page, `${server.origin}/user/${owner._id}`);
  }
  await expect(ui.link(page, 'Complete your card')).toBeInViewport();
});

test('QR code: a press fills the screen, which stays on', async ({ page, server, owner }) => {
  await page.addInitScript(() => {
    const locks: { released: boolean }[] = [];
    const request = async () => {
      const lock = { released: false, release: async () => void (lock.released = true) };
      locks.push(lock);
      return lock;
    };
    Object.assign(window, { locks });
    Object.defineProperty(navigator, 'wakeLock', { value: { request } });
  });
  const released = () => page.evaluate('window.locks.map(({ released }) => released)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize({ width: 390, height: 664 });
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Welcome Asha');
  expect(await released()).toEqual([]);
  for (const close of [
    () => page.mouse.click(20, 640),
    () => page.keyboard.press('Escape'),
    () => ui.button(page, 'Close').click(),
  ]) {
    await opener(page).click();
    await expect(screen(page)).toHaveCSS('background-color', 'rgb(255, 255, 255)');
    await expect(screen(page).getByText('Asha Rao')).toBeInViewport({ ratio: 1 });
    const image = screen(page).getByRole('img', { name: 'QR code of your card' });
    await expect.poll(async () => (await image.boundingBox())?.width).toBe(390);
    await expectQrCode(page, scanned(server, owner));
    await close();
    await expect(screen(page)).toBeHidden();
    await expect(opener(page)).toBeFocused();
    await expect(page).toHaveURL(/\/dashboard$/);
  }
  await expect.poll(released).toEqual([true, true, true]);
  await opener(page).click();
  await expect.poll(released).toEqual([true, true, true, false]);
  // The browser releases the lock of a hidden page.
  await page.evaluate(() => {
    const lock = (window as unknown as { locks: { released: boolean }[] }).locks.at(-1);
    document.dispatchEvent(new Event('visibilitychange'));
    if (lock) lock.released = true;
    // The second event is dispatched while the first one's request is pending.
    document.dispatchEvent(new Event('visibilitychange'));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await expect.poll(released).toEqual([true, true, true, true, false]);
  await page.keyboard.press('Escape');
  await expect(screen(page)).toBeHidden();
  await expect.poll(released).not.toContain(false);
});

test('QR code: is shown before the profile has loaded', async ({ page, server, owner }) => {
  const address = `${server.origin}/user/${owner._id}`;
  const held: Route[] = [];
  const image = screen(page).getByRole('img');
  await page.route('**/api/user/*', (route) => void held.push(route));
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await expectQrCode(page, address);
  // By the shortcut of the home screen.
  await page.goto('/dashboard?qr', { waitUntil: 'commit' });
  await expect(image).toBeInViewport({ ratio: 1 });
  await expectQrCode(page, scanned(server, owner));
  await screen(page).click();
  await expect(screen(page)).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard$/);
  await page.emulateMedia({ colorScheme: 'dark' });
  // By the button, which the arriving profile replaces.
  await page.goto('/dashboard', { waitUntil: 'commit' });
  await ui.button(page, 'Show QR code full screen').click();
  await expect(image).toBeVisible();
  await expectQrCode(page, scanned(server, owner));
  const box = await image.boundingBox();
  await held.at(-1)?.continue();
  for (const text of ['Asha Rao', 'Principal Architect', 'Rao & Partners Archi...']) {
    await expect(screen(page).getByText(text)).toBeInViewport({ ratio: 1 });
  }
  expect(await image.boundingBox()).toEqual(box);
  await expect(page.locator(':focus')).toHaveCSS('outline-style', 'none');
  await page.keyboard.press('Escape');
  await expect(screen(page)).toBeHidden();
  await expect(page).toHaveURL(/\/dashboard$/);
  await ui.expectTexts(page, 'Welcome Asha');
});

test('handshake: the screen shows that the card is opened, and who connects', async ({
  page,
  browser,
  server,
  owner,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  // A proxy answers so while the service restarts.
  let answeredAt = 0;
  await page.route(/\/live\?s=/, async (route) => {
    if (answeredAt > 0) return route.fallback();
    answeredAt = Date.now();
    return route.fulfill({ status: 502 });
  });
  const stream = page.waitForResponse((one) => one.url().includes('/live?s=') && one.ok());
  await page.goto('/dashboard?qr');
  const token = new URL((await stream).url()).searchParams.get('s') ?? '';
  expect(Date.now() - answeredAt).toBeLessThan(5000);
  await page.waitForTimeout(200);
  const context = await browser.newContext({
    userAgent: ui.PHONE_USER_AGENT,
    baseURL: server.origin,
  });
  const visitor = await context.newPage();
  await visitor.goto(`/user/${owner._id}?s=${token}`, { waitUntil: 'commit' });
  await expect(screen(page).getByText('Opened')).toBeVisible();
  await expect(visitor).toHaveURL(`${server.origin}/user/${owner._id}`);
  visitor.on('dialog', (alert) => void alert.accept());
  await ui.button(visitor, 'Connect').click();
  const form = ui.dialog(visitor, 'Connect');
  await ui.fill(visitor, { Name: 'Priya Menon', Mobile: '98201 55667', Company: 'Menon Exports' });
  await ui.button(form, 'Connect').click();
  const name = screen(page).getByText('Priya Menon');
  await expect(name).toHaveCSS('font-size', '28px');
  await ui.expectTexts(screen(page), 'Menon Exports');
  const tile = screen(page).locator('.shared-tile');
  const drawn = await tile.innerHTML();
  const [code, note] = [
    await screen(page).getByRole('img').boundingBox(),
    await name.boundingBox(),
  ];
  expect(note?.y).toBeGreaterThan((code?.y ?? 0) + (code?.height ?? Infinity));
  await test.step('the person is in the list when the code is closed, with the same tile', async () => {
    await page.keyboard.press('Escape');
    const row = page.getByRole('row', { name: 'Priya Menon' });
    await expect(row).toBeVisible({ timeout: 3000 });
    expect(await row.locator('.shared-tile').innerHTML()).toBe(drawn);
  });
  await context.close();
});

const CARD = { ...FULL_CARD, email: 'asha@rao.example' };

test.describe('without internet', () => {
  test.use({ serviceWorkers: 'allow', environment: { CARD_EXTRAS: 'phone' }, card: CARD });

  test('code: is the contact, drawn in flight mode, on the smallest phone', async ({
    page,
    context,
    server,
    owner,
    call,
  }) => {
    await page.setViewportSize({ width: 320, height: 568 });
    await call('/user/:id/extras', { phone: '080 2222 3333' });
    const streams: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/live?s=')) streams.push(request.url());
    });
    await page.goto('/dashboard');
    await ui.expectTexts(page, 'Welcome Asha');
    await opener(page).click();
    const choice = screen(page).getByRole('group', { name: 'Code' });
    const [card, offline] = ['Card', 'Without internet'].map((name) =>
      choice.getByRole('radio', { name }),
    ) as [Locator, Locator];
    await expect(card).toBeChecked();
    await expect.poll(() => streams.length).toBe(1);
    await offline.check();
    await expectContactCode(page, server, owner);
    await expect(screen(page).getByText('Opened')).toHaveCount(0);
    await test.step('the choice ends with the dialog', async () => {
      await page.keyboard.press('Escape');
      await opener(page).click();
      await expect(card).toBeChecked();
      await expectQrCode(page, scanned(server, owner));
      await page.keyboard.press('Escape');
    });
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    for (const path of ['/user/:id', '/user/:id/appearance', '/user/:id/extras'])
      await ui.waitForKept(page, path);
    await context.setOffline(true);
    ui.expectErrors(page, /did not get through/);
    streams.length = 0;
    await page.goto('/dashboard');
    await ui.expectTexts(page, 'Welcome Asha');
    await opener(page).click();
    await expect(offline).toBeChecked();
    await expectContactCode(page, server, owner);
    expect(streams).toEqual([]);
    await page.goto('/dashboard?qr');
    await expect(offline).toBeChecked();
    await expectContactCode(page, server, owner);
    await page.setViewportSize({ width: 568, height: 320 });
    await expectQrCode(page, /^BEGIN:VCARD/);
    await card.check();
    await expectQrCode(page, scanned(server, owner));
  });
});

async function expectContactCode(page: Page, { origin }: RunningServer, { _id }: Owner) {
  const text = [
    ...FULL_CARD_LINES.map((line) => line.replace(FULL_CARD.email, CARD.email)),
    'TEL;TYPE=CELL:+918022223333',
    `URL:${origin}/user/${_id}`,
    'END:VCARD',
    '',
  ];
  await expectQrCode(page, text.join('\r\n'));
  const image = screen(page).getByRole('img');
  expect((await image.boundingBox())?.width).toBe(320);
  await expect(
    screen(page).getByText("Saves Asha as a contact, even offline. You won't see who scanned it."),
  ).toBeInViewport({ ratio: 1 });
}
