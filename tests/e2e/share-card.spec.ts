import { expect, test } from '#tests/support/browser-test.ts';
import { pressEnterOn, tabTo } from '#tests/support/keyboard.ts';
import * as ui from '#tests/support/ui.ts';

test('card: is created by keyboard, shared and saved', async ({ page, server, phone, browser }) => {
  const alerts = ui.collectAlerts(page);
  await page.goto('/login');
  await tabTo(page, ui.textbox(page, 'Phone number'));
  await page.keyboard.type(`+91 ${phone.slice(0, 5)} ${phone.slice(5)}`);
  await page.keyboard.press('Enter');
  await expect(ui.textbox(page, 'Code')).toBeFocused();
  // The form submits a complete code automatically.
  await page.keyboard.type(await server.codeFor(`+91${phone}`));
  await expect(page).toHaveURL(`/ftue?phone=%2B91${phone}`);
  await expect(ui.textbox(page, 'Name')).toBeFocused();
  await page.keyboard.type(ui.ASHA.name);
  await tabTo(page, ui.textbox(page, 'Email'));
  await page.keyboard.type(ui.ASHA.email);
  await page.keyboard.press('Enter');
  // Before that a press of Tab would be lost.
  await expect(ui.heading(page, 'Where you work')).toBeFocused();
  await tabTo(page, ui.textbox(page, 'Designation'));
  await page.keyboard.type(ui.ASHA.designation);
  await page.keyboard.press('Enter');
  await expect(ui.heading(page, 'Add Socials')).toBeFocused();
  await pressEnterOn(page, ui.button(page, 'LinkedIn'));
  const popup = ui.dialog(page, 'Connect your socials');
  await expect(popup.getByRole('textbox')).toBeFocused();
  await page.keyboard.type('linkedin.com/in/asharao');
  await page.keyboard.press('Enter');
  await expect(popup).toBeHidden();
  await expect(ui.button(page, 'LinkedIn')).toBeFocused();
  await pressEnterOn(page, ui.button(page, 'Next'));
  await page.waitForURL(/\/dashboard\/?$/);
  await ui.expectTexts(page, 'Welcome Asha', 'Start building connections!');
  await expect(page.getByRole('main')).toBeFocused();
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
