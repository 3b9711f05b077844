import type { Locator, Page } from '@playwright/test';

import { UNDO_MS } from '#domain/contact.ts';
import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import * as ui from '#tests/support/ui.ts';

const FIND = '/contacts/findContacts/:id';
const FAIR = 'Hello {name} of {company}!\n{event}\nI am {my name}: {my card}';

test.use({ environment: { VIEWS: 'contacts' }, timezoneId: 'Asia/Kolkata' });

const toDo = (page: Page) => page.getByRole('region', { name: 'To do' });
const entries = (page: Page) => toDo(page).getByRole('listitem');
const textOf = async (link: Locator) => {
  const { searchParams } = new URL((await link.getAttribute('href')) ?? '');
  return searchParams.get('text') ?? searchParams.get('body');
};

test('follow up: the links carry the chosen template filled in, the last contact is noted, and templates are kept', async ({
  page,
  owner,
  addContact,
  context,
}) => {
  await addContact({ name: 'Odd', mobile: '12', companyName: 'Odd & Co.' });
  const meera = { name: 'मीरा', mobile: '98450 12345', email: 'meera@x.example' };
  await addContact({ ...meera, companyName: 'Rao & Co. 100%' });
  // The message opens outside the page.
  await context.route('https://wa.me/**', (route) => route.fulfill({ body: '' }));
  await page.goto('/dashboard/contacts');
  const article = page.getByRole('article');
  const whatsapp = ui.link(article, 'Write on WhatsApp');
  const email = ui.link(article, 'Write an email');
  const card = `${new URL(page.url()).origin}/user/${owner._id}`;
  await ui.button(page, 'मीरा').click();
  await expect(whatsapp).toHaveAttribute('href', /^https:\/\/wa\.me\/919845012345\?text=/);
  await expect.poll(() => textOf(whatsapp)).toBe(`Hello मीरा, this is Asha Rao. My card: ${card}`);
  await ui.chooseMore(page, 'Templates');
  const form = ui.dialog(page, 'Templates');
  await ui.button(form, 'Add a template').click();
  await ui.textbox(form, 'Template name').nth(1).fill('Fair');
  await ui.textbox(form, 'Template text').nth(1).fill(FAIR);
  await ui.button(form, 'Save').click();
  await expect(form).toBeHidden();
  await page.reload();
  await ui.button(page, 'मीरा').click();
  await ui.textbox(article, 'Add a tag').fill('Slow payer');
  await page.keyboard.press('Enter');
  await expect(ui.button(article, 'Remove Slow payer')).toBeVisible();
  await article.getByRole('combobox', { name: 'Template' }).selectOption('Fair');
  const filled = `Hello मीरा of Rao & Co. 100%!\nI am Asha Rao: ${card}`;
  await expect.poll(() => textOf(whatsapp)).toBe(filled);
  expect(await email.getAttribute('href')).toMatch(/^mailto:meera@x\.example\?body=/);
  expect(await textOf(email)).toBe(filled.replaceAll('\n', '\r\n'));
  await expect(article.getByText('Last contact')).toHaveCount(0);
  const [chat] = await Promise.all([page.waitForEvent('popup'), whatsapp.click()]);
  await chat.close();
  await ui.expectTexts(article, 'Last contact: today');
  await page.reload();
  await ui.button(page, 'मीरा').click();
  await ui.expectTexts(article, 'Last contact: today');
  await ui.button(page, 'Odd').click();
  await expect(ui.heading(article, 'Odd')).toBeVisible();
  await expect(whatsapp.or(email)).toHaveCount(0);
  await ui.chooseMore(page, 'Templates');
  // One without a text is removed.
  await ui.textbox(form, 'Template text').first().fill('');
  await ui.button(form, 'Save').click();
  await expect(form).toBeHidden();
  await ui.chooseMore(page, 'Templates');
  await expect(ui.textbox(form, 'Template name')).toHaveValue('Fair');
  await ui.button(form, 'Cancel').click();
  await ui.button(page, 'Add contact').click();
  await ui.addContact(page, { Name: 'Kavya', Email: 'kavya@x.example', Event: 'Pune Fair' });
  await ui.button(page, 'Kavya').click();
  const atFair = `Hello Kavya of!\r\nPune Fair\r\nI am Asha Rao: ${card}`;
  await expect.poll(() => textOf(email)).toBe(atFair);
  const long = 'नमस्ते '.repeat(60).trim();
  await ui.chooseMore(page, 'Templates');
  await ui.textbox(form, 'Template text').first().fill(long);
  await ui.button(form, 'Save').click();
  await expect(form).toBeHidden();
  await expect(email).toHaveAttribute('href', 'mailto:kavya@x.example');
  await email.click();
  await ui.expectTexts(
    article,
    'This text is too long for a link. We copied it, so paste it into your email.',
  );
  expect(await ui.readClipboard(page)).toBe(long);
});

test('reminder: is set, moved, done and undone, asks after a message, and the overdue one comes first', async ({
  page,
  call,
  addContact,
  context,
}) => {
  await context.route('https://wa.me/**', (route) => route.fulfill({ body: '' }));
  for (const name of ['Ravi', 'Meera']) await addContact({ name, mobile: '98450 12345' });
  const { contacts } = await call<{ contacts: { _id: string }[] }>(FIND, {});
  const overdue = { contact: contacts[0]?._id, day: '2026-01-05', timeZone: 'Asia/Kolkata' };
  await call('/contacts/setReminder/:id', overdue);
  await page.goto('/dashboard/contacts');
  await expect(entries(page)).toHaveText([/Meera.*overdue since Mon 5 Jan/]);
  const article = page.getByRole('article');
  await ui.button(page, 'Ravi').click();
  const remindMe = ui.button(article, 'Remind me');
  await remindMe.click();
  await ui.expectTexts(article, /You'll see reminders here/);
  await ui.button(article, 'Tomorrow').click();
  await ui.expectTexts(article, 'Reminder: tomorrow');
  await expect(remindMe).toBeFocused();
  await expect(toDo(page)).toHaveCount(0);
  await ui.button(article, 'Close').click();
  await expect(entries(page)).toHaveText([/Meera/, /Ravi.*tomorrow/]);
  await ui.button(page, 'Ravi').click();
  await test.step('a date, and a message that asks', async () => {
    await remindMe.click();
    await ui.textbox(article, 'Date').fill('2030-01-05');
    await ui.expectTexts(article, 'Reminder: Sat 5 Jan');
    await ui.link(article, 'Write on WhatsApp').click();
    await ui.expectTexts(article, 'Done?');
    await ui.button(article, 'Done').click();
    await expect(article.getByText('Done?')).toBeHidden();
    await ui.button(article, 'Close').click();
    await expect(entries(page)).toHaveText([/Meera/]);
  });
  const bar = page.locator('.contacts-undo');
  const undo = ui.button(page, 'Undo');
  await test.step('later, done, undone', async () => {
    await ui.button(toDo(page), 'Later').click();
    await expect(bar).toContainText('Meera is due tomorrow.');
    await expect(entries(page)).toHaveText([/Meera.*tomorrow/]);
    await ui.button(toDo(page), 'Done').click();
    await expect(bar).toContainText('Meera is done.');
    await expect(undo).toBeFocused();
    await expect(toDo(page)).toBeHidden();
    await undo.click();
    await expect(entries(page)).toHaveText([/Meera.*tomorrow/]);
    await expect(undo).toBeHidden();
    await expect(ui.heading(page, 'Contacts')).toBeFocused();
    await ui.button(toDo(page), 'Open Meera').click();
    await ui.expectTexts(article, 'Reminder: tomorrow');
    await ui.button(article, 'Later').click();
    await ui.expectTexts(article, /^Reminder: \w{3} \d/);
    await ui.button(article, 'Close').click();
  });
  await ui.button(toDo(page), 'Done').click();
  await expect(undo).toBeVisible();
  await expect(undo).toBeHidden({ timeout: UNDO_MS * 2 });
  await page.reload();
  await ui.button(page, 'Meera').waitFor();
  await expect(toDo(page)).toHaveCount(0);
});
