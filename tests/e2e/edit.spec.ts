import type { Route } from '@playwright/test';

import { runAdmin } from '#tests/support/admin.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { REJECTED_LINKS } from '#tests/support/disputed-link.ts';
import { FULL_CARD } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const SAVE_CALL = '**/updateUser/*';
const SAVED = 'Data updated successfully';

test('Edit Profile: an identifier that is pasted loses invisible characters, and the page says that it was cut', async ({
  page,
  call,
}) => {
  const alerts = ui.collectAlerts(page);
  await page.goto('/dashboard/edit');
  const phone = ui.textbox(page, 'Phone');
  await phone.fill('');
  await ui.paste(page, phone, '+91 98450 12345 / +91 98450 12346 / +91');
  await expect(phone).toHaveAccessibleDescription('We shortened what you pasted to 32 characters.');
  await phone.fill('');
  await ui.paste(page, phone, '\u200e+91\u00ad 98450\u200b 12345\u2060\u2069');
  await expect(page.getByText('We shortened what you pasted')).toHaveCount(0);
  const email = ui.textbox(page, 'Email');
  await email.fill('asha\u200d@rao.example');
  await email.blur();
  await expect(email).toHaveValue('asha@rao.example');
  await ui.fill(page, { Name: 'क्\u200dष राव' });
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual([SAVED]);
  const saved = { name: 'क्\u200dष राव', phone: '+91 98450 12345', email: 'asha@rao.example' };
  expect(await call('/user/:id')).toMatchObject(saved);
});

test('Edit Profile: a link is checked as the server reads it, and of several pasted lines the link is taken', async ({
  page,
  call,
}) => {
  ui.expectErrors(page, /did not get through/);
  const alerts = ui.collectAlerts(page);
  await page.goto('/dashboard/edit');
  const popup = ui.dialog(page, 'Connect your socials');
  const add = async (network: string, typed: string) => {
    await ui.button(page, network).click();
    await ui.textbox(page, network).fill(typed);
    await ui.button(page, 'Save').click();
  };
  const note = "This doesn't look like a link. Paste the page's whole link.";
  for (const typed of [...REJECTED_LINKS, 'http://localhost:3000']) {
    await add('Web', typed);
    await expect(ui.textbox(page, 'Web')).toHaveAccessibleDescription(note);
    await ui.button(page, 'Cancel').click();
  }
  await add('Instagram', 'asha.rao');
  await expect(popup).toHaveCount(0);
  await ui.button(page, 'Web').click();
  await ui.textbox(page, 'Web').fill('');
  await ui.paste(page, ui.textbox(page, 'Web'), 'https://asha.example/me\nThe page of Asha');
  await expect(ui.textbox(page, 'Web')).toHaveValue('https://asha.example/me');
  // Without an answer the entry is taken, and not after 'Cancel'.
  const waiting: Route[] = [];
  await page.route('**/checkHandle/*', (route) => void waiting.push(route));
  await ui.button(page, 'Save').click();
  await expect.poll(() => waiting.length).toBe(1);
  await waiting[0]?.abort();
  await expect(popup).toHaveCount(0);
  await add('YouTube', 'someone');
  await expect.poll(() => waiting.length).toBe(2);
  await ui.button(page, 'Cancel').click();
  await waiting[1]?.continue();
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual([SAVED]);
  const { socialMediaHandles } = FULL_CARD;
  const changed = {
    Instagram: 'https://www.instagram.com/asha.rao',
    Web: 'https://asha.example/me',
  };
  expect(await call('/user/:id')).toMatchObject({
    socialMediaHandles: { ...socialMediaHandles, ...changed },
  });
});

test('Edit Profile: changes are saved by one call', async ({ page, owner, call }) => {
  const alerts = ui.collectAlerts(page);
  const sent: Route[] = [];
  await page.route(SAVE_CALL, (route) => void sent.push(route));
  await page.goto('/dashboard');
  await ui.link(page, 'Edit Card').click();
  await expect(ui.textbox(page, 'Name')).toHaveValue('Asha Rao');
  await expect(ui.textbox(page, 'About')).toHaveAttribute('rows', '5');
  const texts = { Name: 'Asha\tMenon', About: 'Line one\nLine two', Designation: 'Partner' };
  await ui.fill(page, texts);
  await ui.button(page, 'YouTube').click();
  await ui.addLink(page, '  youtube.com/@asha ');
  await ui.button(page, 'Whatsapp').click();
  await ui.addLink(page, '');
  await expect(ui.button(page, 'Update Changes')).toHaveCount(2);
  await ui.updateChanges(page);
  await expect(page.getByRole('status').filter({ hasText: 'Saving' })).toHaveCount(1);
  await ui.button(page, 'Update Changes').last().click({ force: true });
  await ui.textbox(page, 'Company').press('Enter');
  await sent[0]?.continue();
  await expect.poll(() => alerts).toEqual([SAVED]);
  const { Whatsapp: _, ...handles } = FULL_CARD.socialMediaHandles;
  const socialMediaHandles = { ...handles, YouTube: 'https://youtube.com/@asha' };
  const changes = { name: 'Asha Menon', designation: 'Partner', bio: 'Line one\nLine two' };
  const rest = { _id: owner._id, profilePhoto: '', socialMediaHandles };
  const user = { ...FULL_CARD, ...changes, ...rest };
  expect(await call('/user/:id')).toEqual(user);
  const body = { ...user, socialMediaHandles: { ...socialMediaHandles, Whatsapp: null } };
  expect(sent.map((route) => route.request().postDataJSON() as unknown)).toEqual([body]);
  await ui.button(page, 'Back').click();
  await ui.expectTexts(page, 'Welcome Asha');
  await ui.link(page, 'Edit Card').click();
  await expect(ui.textbox(page, 'Designation')).toHaveValue('Partner');
  expect(alerts).toEqual([SAVED]);
});

test('Edit Profile: unsaved changes are left after a confirmation only', async ({ page }) => {
  await page.goto('/dashboard');
  await ui.link(page, 'Edit Card').click();
  await ui.textbox(page, 'Designation').fill('Partner');
  const dialogs: string[] = [];
  page.on('dialog', (dialog) => {
    const isThird = dialogs.push(dialog.message()) === 3;
    void (isThird ? dialog.accept() : dialog.dismiss());
  });
  const question = "Leave without saving? You'll lose your changes.";
  await ui.button(page, 'Back').click();
  await expect.poll(() => dialogs).toEqual([question]);
  await page.evaluate(() => history.back());
  await expect.poll(() => dialogs).toEqual([question, question]);
  await expect(page).toHaveURL(/\/dashboard\/edit$/);
  await expect(ui.textbox(page, 'Designation')).toHaveValue('Partner');
  await ui.button(page, 'Back').click();
  await ui.expectTexts(page, 'Welcome Asha');
});

test('Edit Profile: a failed save keeps the input', async ({ page, server, owner, call }) => {
  ui.expectErrors(page, /did not get through/, /answered 403/, /answered 412/, /answered 410/);
  const alerts = ui.collectAlerts(page);
  const note = page.getByText('Not saved yet').first();
  await page.goto('/dashboard/edit');
  await ui.textbox(page, 'Designation').fill('Partner');
  // The answer is lost, so that the next save is the same one again, with what was saved elsewhere.
  await page.route(SAVE_CALL, async (route) => {
    await route.fetch();
    await route.abort();
  });
  await ui.updateChanges(page);
  await expect(note).toBeVisible();
  await expect(ui.textbox(page, 'Designation')).toHaveValue('Partner');
  await ui.textbox(page, 'Company').fill('Rao');
  const LinkedIn = 'https://linkedin.com/in/asha';
  await call('/user/updateUser/:id', { bio: 'Elsewhere', socialMediaHandles: { LinkedIn } });
  await ui.button(page, 'X').click();
  await ui.addLink(page, 'x.com/asha');
  await expect(note).toBeVisible();
  expect(alerts).toEqual([]);
  // A 403 that ends no session.
  const message = 'Your company sets this.';
  await ui.failCalls(page, SAVE_CALL, { status: 403, error: 'field_locked', message });
  await ui.updateChanges(page);
  await expect.poll(() => alerts.splice(0)).toEqual([message]);
  await page.unrouteAll();
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual([SAVED]);
  await expect(note).toBeHidden();
  const saved = { designation: 'Partner', companyName: 'Rao', bio: 'Elsewhere' };
  const socialMediaHandles = { LinkedIn, X: 'https://x.com/asha' };
  expect(await call('/user/:id')).toMatchObject({ ...saved, socialMediaHandles });
  await expect(ui.textbox(page, 'About')).toHaveValue('Elsewhere');

  const environment = { DATA_DIR: server.dataDir };
  expect((await runAdmin(environment, 'block', owner._id, '--reason', 'spam')).code).toBe(0);
  const sentence = 'The operator of this service has blocked your card';
  await ui.textbox(page, 'Designation').fill('Chair');
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual([SAVED, `${sentence}, so changes aren't saved.`]);
  await expect(note).toBeVisible();
  await expect(ui.textbox(page, 'Designation')).toHaveValue('Chair');
  await page.goto('/dashboard');
  await expect(page).toHaveURL(`${server.origin}/`);
  await ui.expectTexts(page, sentence);
});

test('Edit Profile: preview and notes show what visitors will see', async ({ page }) => {
  const alerts = ui.collectAlerts(page);
  await page.goto('/dashboard/edit');
  const preview = page.locator('.edit-preview');
  await ui.textbox(page, 'Designation').fill('Partner');
  await expect(preview.getByText('Partner', { exact: true })).toBeVisible();
  await ui.textbox(page, 'Phone').fill('+442071838750');
  await ui.expectTexts(preview, '+44 20 7183 8750');
  await page.setViewportSize({ width: 800, height: 900 });
  await expect(preview).toBeHidden();
  const notes = {
    Phone: "Visitors can't see your card yet. Add a phone number.",
    Name: 'Without a name, visitors will see “Unknown”.',
  };
  for (const [field, note] of Object.entries(notes)) {
    await ui.textbox(page, field).fill('');
    await ui.textbox(page, field).blur();
    await expect(ui.textbox(page, field)).toHaveAccessibleDescription(note);
  }
  await ui.updateChanges(page);
  await expect.poll(() => alerts).toEqual([SAVED]);
  await ui.button(page, 'Back').click();
  await ui.expectTexts(page.locator('.card-notes'), notes.Phone, notes.Name);
  await ui.link(page, 'Complete your card').click();
  await expect(ui.textbox(page, 'Phone')).toHaveAccessibleDescription(notes.Phone);
});

test('Edit Profile: one Update Changes is filled, and Offline moves nothing', async ({ page }) => {
  const buttons = ui.button(page, 'Update Changes');
  const colours = () =>
    buttons.evaluateAll((all) => all.map((one) => getComputedStyle(one).backgroundColor));
  const filled = async () => (await colours()).map((colour) => colour === 'rgb(200, 64, 31)');
  for (const [width, height, expected] of [
    [1280, 900, [true, false]],
    [390, 844, [false, true]],
    [390, 400, [true, false]],
  ] as const) {
    await page.setViewportSize({ width, height });
    await page.goto('/dashboard/edit');
    const about = ui.textbox(page, 'About');
    await about.waitFor();
    expect(await filled()).toEqual([false, false]);
    await about.fill('New');
    await expect.poll(filled).toEqual(expected);
    await about.fill(FULL_CARD.bio);
    await expect.poll(filled).toEqual([false, false]);
  }
  await page.setViewportSize({ width: 320, height: 568 });
  const bar = await page.getByRole('banner').boundingBox();
  await page.context().setOffline(true);
  await expect(page.getByText('Offline', { exact: true })).toBeVisible();
  expect(await page.getByRole('banner').boundingBox()).toEqual(bar);
});
