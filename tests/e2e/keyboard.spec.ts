import type { Locator, Page } from '@playwright/test';

import { expect, ownerTest as test, test as visitorTest } from '#tests/support/browser-test.ts';
import { FULL_CARD, sendRequest } from '#tests/support/owner.ts';
import { jpegFile } from '#tests/support/picture.ts';
import * as ui from '#tests/support/ui.ts';

/** More than any page has: a longer sequence is a keyboard trap. */
const STOPS_MAX = 60;

/** Presses Tab; expects an outline on the focused control or its label, and returns its name: null for none. */
async function pressTab(page: Page) {
  await page.keyboard.press('Tab');
  const focused = await page.evaluate(() => {
    const element = document.activeElement ?? document.body;
    // Focused by the page, as the heading of the next step: it cannot be operated.
    if (element.matches('body, h1, [tabindex="-1"]')) return null;
    // oxlint-disable-next-line unicorn/consistent-function-scoping -- it runs in the page
    const isOutlined = (one: Element, pseudoElement?: string) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(one, pseudoElement);
      return outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2;
    };
    const frame = element.closest('label');
    const isVisible =
      isOutlined(element) || isOutlined(element, '::after') || (frame && isOutlined(frame));
    const label = element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : null;
    const name = element.getAttribute('aria-label') ?? label ?? element.textContent;
    return { name: name.trim(), invisible: isVisible ? '' : element.outerHTML.slice(0, 200) };
  });
  expect(focused?.invisible ?? '').toBe('');
  return focused?.name ?? null;
}

async function tabTo(page: Page, control: Locator) {
  for (let stop = 0; stop < STOPS_MAX; stop += 1) {
    await pressTab(page);
    if (await control.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`Not reached by Tab: ${String(control)}`);
}

async function pressEnterOn(page: Page, control: Locator) {
  await tabTo(page, control);
  await page.keyboard.press('Enter');
}

async function listTabStops(page: Page) {
  const names: string[] = [];
  while (names.length < STOPS_MAX) {
    const name = await pressTab(page);
    if (name === null) return names;
    names.push(name);
  }
  throw new Error(`A keyboard trap: ${names.join(', ')}`);
}

test.use({ card: { ...FULL_CARD, socialMediaHandles: { X: 'https://x.com/rao' } } });

visitorTest('keyboard: a card is created and shared', async ({ page, server, phone }) => {
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
  await page.keyboard.type(FULL_CARD.name);
  await tabTo(page, ui.textbox(page, 'Email'));
  await page.keyboard.type(FULL_CARD.email);
  await page.keyboard.press('Enter');
  // Before that a press of Tab would be lost.
  await expect(ui.heading(page, 'Where you work')).toBeFocused();
  await tabTo(page, ui.textbox(page, 'Designation'));
  await page.keyboard.type(FULL_CARD.designation);
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
  const path = `/user/${(await ui.readSession(page))._id}`;
  await pressEnterOn(page, ui.button(page, 'Copy Link'));
  await expect.poll(() => alerts).toEqual([`Copied: ${server.origin}${path}`]);
  expect(await ui.readClipboard(page)).toBe(server.origin + path);
  const { name, email, designation } = FULL_CARD;
  const socialMediaHandles = { LinkedIn: 'https://linkedin.com/in/asharao' };
  const card = { name, email, designation, phone: `+91${phone}`, socialMediaHandles };
  expect(await sendRequest(server, path)).toMatchObject(card);
});

test('keyboard: the catalogue returns the focus to its button', async ({ page }) => {
  await page.goto('/dashboard/edit');
  await tabTo(page, ui.button(page, 'Add more'));
  const entry = ui.dialog(page, 'Connect your socials');
  for (const end of ['Escape', 'Enter']) {
    await page.keyboard.press('Enter');
    await pressEnterOn(page, ui.button(page, 'Add Behance'));
    await expect(entry.getByRole('textbox')).toBeFocused();
    await page.keyboard.type('behance.net/asha');
    await page.keyboard.press(end);
    await expect(entry).toBeHidden();
    await expect(ui.button(page, 'Add more')).toBeFocused();
  }
  const behance = ui.button(page, 'Behance');
  await expect(behance).toHaveAccessibleDescription('Edit');
  await pressEnterOn(page, behance);
  await pressEnterOn(page, ui.button(entry, 'Remove'));
  await expect(behance).toHaveCount(0);
  await expect(ui.button(page, 'Add more')).toBeFocused();
});

test('keyboard: the tab stops of the dashboard', async ({ page }) => {
  await page.goto('/dashboard');
  await page.getByText('Nobody has left their details yet.').waitFor();
  expect((await listTabStops(page)).join(', ')).toBe(
    'Menu, Home, Contacts, Analytics, Account and data, Log out, Edit Card, Preview Card, ' +
      'Show QR code full screen, Add a photo, Share, Download QR Code, Copy Link, ' +
      'Start a table, Download for print, E-mail signature, See all',
  );
});

test('keyboard: the menu of a phone, which Escape closes', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/dashboard');
  await page.getByText('Nobody has left their details yet.').waitFor();
  const menu = ui.button(page, 'Menu');
  const contacts = ui.link(page, 'Contacts');
  expect((await listTabStops(page)).slice(0, 2)).toEqual(['Menu', 'Edit Card']);
  await pressEnterOn(page, menu);
  await expect(menu).toHaveAttribute('aria-expanded', 'true');
  await tabTo(page, contacts);
  await page.keyboard.press('Escape');
  await expect(menu).toBeFocused();
  await expect(contacts).toBeHidden();
  await page.keyboard.press('Enter');
  await pressEnterOn(page, contacts);
  await expect(ui.heading(page, 'Comming Soon')).toBeVisible();
  await expect(page.getByRole('main')).toBeFocused();
  await page.goBack();
  await ui.expectTexts(page, 'Welcome Asha');
  await expect(menu).toHaveAttribute('aria-expanded', 'false');
});

test('keyboard: Edit Profile is opened, changed, saved and closed', async ({ page }) => {
  const alerts = ui.collectAlerts(page);
  await page.goto('/dashboard');
  await pressEnterOn(page, ui.link(page, 'Edit Card'));
  await expect(page.getByRole('main')).toBeFocused();
  await tabTo(page, ui.textbox(page, 'Designation'));
  await page.keyboard.press('ControlOrMeta+A');
  await page.keyboard.type('Partner');
  await page.keyboard.press('Enter');
  await expect.poll(() => alerts).toEqual(['Data updated successfully']);
  await expect(ui.textbox(page, 'Designation')).toBeFocused();
  await page.reload();
  await ui.button(page, 'Edit photo').waitFor();
  expect((await listTabStops(page)).join(', ')).toBe(
    'Back, Update Changes, Edit photo, Appearance, Fill in from a contact file, Name, Designation, ' +
      `Company, ${FULL_CARD.bio}, Phone, ` +
      'Email, XEdit, Add more, Update Changes, Account and data',
  );
  await pressEnterOn(page, ui.button(page, 'Back'));
  await ui.expectTexts(page, 'Welcome Asha');
  await expect(page.getByRole('main')).toBeFocused();
});

test('keyboard: a photo is chosen, cropped and saved', async ({ page }) => {
  // Registered early, because the browser enables it asynchronously.
  const chooser = page.waitForEvent('filechooser');
  await page.goto('/dashboard/edit');
  await pressEnterOn(page, ui.button(page, 'Edit photo'));
  const popup = ui.dialog(page, 'Edit photo');
  await expect(popup.locator('input[type=file]')).toBeFocused();
  await page.keyboard.press('Enter');
  await (await chooser).setFiles(await jpegFile({ width: 800, height: 600 }));
  await page.getByRole('img', { name: 'The file you chose' }).waitFor();
  const crop = popup.getByRole('group', { name: 'Move the crop with the arrow keys' });
  await tabTo(page, crop);
  const before = await crop.boundingBox();
  await page.keyboard.press('ArrowRight');
  await expect.poll(async () => (await crop.boundingBox())?.x).not.toBe(before?.x);
  await pressEnterOn(page, ui.button(page, 'Save'));
  await expect(popup).toBeHidden();
  await expect(ui.button(page, 'Edit photo')).toBeFocused();
});

test('keyboard: the tab stops of a card, and a visitor connects', async ({ page, owner }) => {
  const alerts = ui.collectAlerts(page);
  await page.goto(`/user/${owner._id}`);
  const stops = [
    'Save',
    'Connect',
    'Call',
    'Email',
    'Copy email',
    'X',
    'Create Your Tessera Card',
    'Print',
  ];
  expect(await listTabStops(page)).toEqual(stops);
  const popup = ui.dialog(page, 'Connect');
  await pressEnterOn(page, ui.button(page, 'Connect'));
  await expect(ui.textbox(popup, 'Name')).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(popup).toBeHidden();
  await expect(ui.button(page, 'Connect')).toBeFocused();
  await page.keyboard.press('Enter');
  await page.keyboard.type('Ravi');
  await tabTo(page, ui.textbox(popup, 'Mobile'));
  await page.keyboard.type('+91 98450 12345');
  const company = ui.textbox(popup, 'Company');
  const [send, close] = [ui.button(popup, 'Connect'), ui.button(popup, 'Close')];
  for (const stop of [company, send, close, company]) await tabTo(page, stop);
  await page.keyboard.press('Enter');
  await expect.poll(() => alerts).toEqual(['Contact Send Successfully']);
  await expect(popup).toBeHidden();
  await expect(ui.button(page, 'Connect')).toBeFocused();
});

test('keyboard: a policy starts with a link that skips to its text', async ({ page }) => {
  await page.goto('/terms_conditions');
  await pressEnterOn(page, ui.link(page, 'Skip to the text'));
  await expect(page).toHaveURL(/#policy$/);
  await tabTo(page, page.getByRole('navigation', { name: 'Contents' }).getByRole('link').first());
});
