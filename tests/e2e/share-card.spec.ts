import { expect, test } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';

test('card: is created, shared and saved', async ({ page, server, phone, browser }) => {
  const alerts = ui.collectAlerts(page);
  await ui.signIn(page, server, phone);
  await expect(page).toHaveURL(`/ftue?phone=%2B91${phone}`);
  await expect(ui.heading(page, 'Welcome')).toBeVisible();
  await ui.textbox(page, 'Name').fill(ui.ASHA.name);
  await ui.textbox(page, 'Email').fill(ui.ASHA.email);
  await page.keyboard.press('Enter');
  await expect(ui.heading(page, 'Where you work')).toBeFocused();
  await ui.textbox(page, 'Company Name').fill(ui.ASHA.companyName);
  await ui.textbox(page, 'Designation').fill(ui.ASHA.designation);
  await ui.button(page, 'Next').click();
  await ui.button(page, 'LinkedIn').click();
  await ui.addLink(page, 'linkedin.com/in/asharao');
  await ui.button(page, 'Add more').click();
  await ui.button(page, 'Add Web').click();
  await ui.addLink(page, 'https://rao.example/studio');
  await ui.button(page, 'Next').click();

  await page.waitForURL(/\/dashboard\/?$/);
  await ui.expectTexts(page, 'Welcome Asha', 'Start building connections!');
  const cardUrl = `${server.origin}/user/${(await ui.readSession(page))._id}`;
  await ui.button(page, 'Copy Link').click();
  await expect.poll(() => alerts).toEqual([`Copied: ${cardUrl}`]);
  expect(await ui.readClipboard(page)).toBe(cardUrl);

  const visitor = await browser.newContext();
  const card = await visitor.newPage();
  await card.goto(cardUrl);
  await expect(card).toHaveTitle('Asha Rao - Principal Architect');
  for (const [name, href] of Object.entries({
    LinkedIn: 'https://linkedin.com/in/asharao',
    Website: 'https://rao.example/studio',
    Call: `tel:+91${phone}`,
    Email: `mailto:${ui.ASHA.email}`,
  })) {
    await expect(ui.link(card, name)).toHaveAttribute('href', href);
  }
  const download = card.waitForEvent('download');
  await ui.link(card, 'Save').click();
  expect((await download).suggestedFilename()).toBe('Asha Rao.vcf');
  await visitor.close();

  await ui.logOut(page);
  await ui.waitForLoginPage(page);
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  await ui.submitPhone(page, server, phone);
  await expect(page).toHaveURL(/\/dashboard\/$/);
});
