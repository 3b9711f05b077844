import type { Browser, Page } from '@playwright/test';

import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { FULL_CARD, createOwner, storeSession } from '#tests/support/owner.ts';
import { expectQrCode } from '#tests/support/qr-code.ts';
import * as ui from '#tests/support/ui.ts';

const { sessionToken } = BROWSER_STORAGE.localStorage;
const SOON = { timeout: 2000 };
const PHONE = { width: 390, height: 844 };

async function newPhone(browser: Browser, baseURL: string, javaScriptEnabled = true) {
  const context = await browser.newContext({ baseURL, javaScriptEnabled, viewport: PHONE });
  return { context, page: await context.newPage() };
}

const person = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });

test('table: four phones meet, two of them owners, one without script', async ({
  page,
  browser,
  server,
  phone,
}) => {
  // The page asks once more after the end.
  ui.expectErrors(page, /answered 410/);
  await page.setViewportSize(PHONE);
  const meera = await createOwner(server, `9${phone.slice(1).replace('8765', '1111')}`, {
    ...FULL_CARD,
    name: 'Meera Iyer',
    phone: '9111100001',
    email: 'meera@iyer.example',
  });
  await page.goto('/dashboard');
  await ui.expectTexts(page, 'Welcome Asha');
  await ui.button(page, 'Start a table').click();
  await expect(ui.textbox(page, 'Table name')).toHaveValue(/^Table, \d{1,2} [A-Z][a-z]{2}$/);
  await ui.textbox(page, 'Table name').fill('Design week, Pune');
  await ui.button(page, 'Start a table').click();
  const dialog = ui.dialog(page, 'QR code');
  await ui.button(dialog, 'Copy table link').click();
  const link = await ui.readClipboard(page);
  expect(link).toMatch(new RegExp(`^${server.origin}/table/[0-9A-Za-z]{10}$`));
  await expectQrCode(page, link);
  await page.keyboard.press('Escape');

  const ravi = await newPhone(browser, server.origin);
  const plain = await newPhone(browser, server.origin, false);
  const owner = await newPhone(browser, server.origin);
  await storeSession(owner.page, server, meera);
  for (const one of [ravi, plain, owner]) {
    await one.page.goto(link);
    await ui.expectTexts(one.page, 'Design week, Pune', 'Asha');
    await ui.expectTexts(one.page, 'Everyone at this table sees what you enter.');
  }
  await ui.fill(ravi.page, { Name: 'Ravi Menon', Mobile: '98765 00001', Company: 'Backwaters' });
  await ui.button(ravi.page, 'Join').click();
  await expect(person(page, 'Ravi Menon')).toBeVisible(SOON);
  await ui.fill(plain.page, { Name: 'Priya Nair', Email: 'priya@nair.example' });
  await ui.button(plain.page, 'Join').click();
  for (const one of [page, ravi.page]) await expect(person(one, 'Priya Nair')).toBeVisible(SOON);
  // The list grows also for somebody who has not joined, without a stream.
  await owner.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await ui.expectTexts(owner.page, 'Asha, Ravi, Priya');
  await expect(ui.textbox(owner.page, 'Name')).toBeHidden();
  await expect(ui.button(owner.page, 'Join')).toBeHidden();
  await ui.button(owner.page, 'Join with my card').click();
  for (const one of [page, ravi.page]) await expect(person(one, 'Meera Iyer')).toBeVisible(SOON);
  await expect(person(ravi.page, 'Meera Iyer')).toContainText(FULL_CARD.designation);
  await plain.page.reload();
  for (const name of ['Asha Rao', 'Ravi Menon', 'Meera Iyer'])
    await expect(person(plain.page, name)).toBeVisible();

  await test.step('everybody saves all, and a tile is the same on both phones', async () => {
    for (const { context } of [ravi, plain, owner]) {
      const file = await context.request.get(`${link}/all.vcf`);
      expect((await file.text()).match(/BEGIN:VCARD/g)).toHaveLength(3);
    }
    for (const one of [page, ravi.page, plain.page, owner.page])
      await expect(ui.link(one, 'Save all')).toBeVisible();
    const [mine] = await person(page, 'Ravi Menon').locator('svg').all();
    const [his] = await person(ravi.page, 'Asha Rao').locator('svg').all();
    expect(await mine?.innerHTML()).toBe(await his?.innerHTML());
  });
  await test.step('one leaves, and one is removed', async () => {
    await ui.button(plain.page, 'Leave').click();
    await expect(ui.button(plain.page, 'Join')).toBeVisible();
    for (const one of [page, ravi.page]) await expect(person(one, 'Priya Nair')).toBeHidden(SOON);
    await ui.button(page, 'Remove Ravi Menon').click();
    await expect(person(page, 'Ravi Menon')).toBeHidden(SOON);
    await ui.expectTexts(ravi.page, 'You were removed from this table.');
    const toggle = page.getByRole('switch', { name: 'New people can join' });
    await toggle.click();
    await expect(toggle).not.toBeChecked();
    await plain.page.goto(link);
    await ui.expectTexts(plain.page, "This table doesn't let new people join.");
  });
  await test.step('the table ends, and the owners keep their contacts', async () => {
    await ui.button(page, 'End table').click();
    await expect(ui.textbox(page, 'Table name')).toBeVisible();
    await ui.expectTexts(owner.page, 'This table has ended.');
    for (const one of [page, owner.page]) {
      await one.goto('/dashboard');
      for (const name of ['Ravi Menon', 'Priya Nair'])
        await expect(one.getByText(name).first()).toBeVisible();
    }
    await ui.expectTexts(page, "People you've met");
  });
  for (const { context } of [ravi, plain, owner]) await context.close();
});

test('table: the list goes on after the stream was cut or refused', async ({
  page,
  browser,
  server,
}) => {
  let streams = 0;
  await page.route('**/api/table/*/live', (route) => {
    streams += 1;
    return streams === 1 ? route.fulfill({ status: 503 }) : route.continue();
  });
  await page.goto('/dashboard/table');
  await ui.button(page, 'Start a table').click();
  await ui.button(ui.dialog(page, 'QR code'), 'Copy table link').click();
  const link = await ui.readClipboard(page);
  const [ravi, priya] = [
    await newPhone(browser, server.origin),
    await newPhone(browser, server.origin),
  ];
  await ravi.page.goto(link);
  await ui.fill(ravi.page, { Name: 'Ravi', Mobile: '1' });
  await ui.button(ravi.page, 'Join').click();
  await expect(ui.button(ravi.page, 'Leave')).toBeVisible();
  await ravi.context.setOffline(true);
  await priya.page.goto(link);
  // A session that has ended offers the form again.
  await priya.page.evaluate((key) => localStorage.setItem(key, 'x'), sessionToken);
  await priya.page.reload();
  await ui.button(priya.page, 'Join with my card').click();
  await ui.fill(priya.page, { Name: 'Priya', Mobile: '2' });
  await ui.button(priya.page, 'Join').click();
  await expect(person(priya.page, 'Ravi')).toBeVisible();
  await ravi.context.setOffline(false);
  await expect(person(ravi.page, 'Priya')).toBeVisible({ timeout: 15_000 });
  await expect.poll(() => streams).toBeGreaterThan(1);
  for (const { context } of [ravi, priya]) await context.close();
});

test('table: its code shows who joins, and a phone in another zone shows its own time', async ({
  page,
  browser,
  server,
}) => {
  await page.setViewportSize(PHONE);
  await page.goto('/dashboard');
  await ui.button(page, 'Start a table').click();
  await ui.button(page, 'Start a table').click();
  const dialog = ui.dialog(page, 'QR code');
  await ui.button(dialog, 'Copy table link').click();
  const link = await ui.readClipboard(page);
  const options = { baseURL: server.origin, viewport: PHONE, timezoneId: 'Europe/Berlin' };
  const context = await browser.newContext(options);
  const visitor = await context.newPage();
  await visitor.goto(link);
  const ends = (await visitor.locator('[data-ends]').getAttribute('data-ends')) ?? '';
  const time = new Date(ends).toLocaleTimeString('de-DE', {
    hour: '2-digit',
    minute: '2-digit',
    timeZone: options.timezoneId,
  });
  await ui.expectTexts(visitor, `The table ends at ${time}.`);
  await ui.fill(visitor, { Name: 'Ravi Menon', Mobile: '98765 00001' });
  await ui.button(visitor, 'Join').click();
  await ui.expectTexts(visitor, `You're at the table. It ends at ${time}.`);
  await expect(dialog.getByText('1 joined: Ravi Menon')).toBeVisible(SOON);
  await context.close();
});
