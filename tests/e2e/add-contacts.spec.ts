import type { Page } from '@playwright/test';

import { expect, ownerTest as test } from '#tests/support/browser-test.ts';
import { createOwner, storeSession } from '#tests/support/owner.ts';
import type { Owner } from '#tests/support/owner.ts';
import * as ui from '#tests/support/ui.ts';

const ADD_CALL = '**/api/contacts/addContacts/*';
const RAVI = { Name: 'Ravi', Mobile: '98450 12345' };

test.use({ environment: { VIEWS: 'contacts' }, serviceWorkers: 'allow' });

type Call = <T>(path: string, body?: object) => Promise<T>;

const namesAndTags = async (call: Call) => {
  const { contacts } = await call<{ contacts: { name: string; tags: string[] }[] }>(
    '/contacts/findContacts/:id',
    {},
  );
  return contacts.map(({ name, tags }) => [name, ...tags]);
};

/** An empty list has another button. */
const addButton = (page: Page) => page.getByRole('button', { name: /^Add (a )?contact$/ });

/** The dashboard registers the service worker. */
async function openContacts(page: Page): Promise<void> {
  await page.goto('/dashboard');
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
  await page.goto('/dashboard/contacts');
  await addButton(page).waitFor();
}

async function add(page: Page, fields: Record<string, string>): Promise<void> {
  await addButton(page).click();
  await ui.addContact(page, fields);
}

test('add contact: without a network contacts wait with their event, and are sent in order, once each', async ({
  page,
  context,
  call,
}) => {
  ui.expectErrors(page, /did not get through/);
  await openContacts(page);
  await context.setOffline(true);
  // A cold start, by the shortcut of the installed application.
  await page.goto('/dashboard/contacts?add');
  const form = ui.dialog(page, 'Add contact');
  await ui.button(form, 'Add').click();
  await ui.expectTexts(form, 'A contact needs a name, and a mobile or an email.');
  await ui.addContact(page, { ...RAVI, Event: 'Pune Fair' });
  await ui.expectTexts(page, '1 waiting');
  await add(page, { Name: 'Meera', Email: 'meera@x.example' });
  await page.reload();
  await ui.expectTexts(page, '2 waiting');
  await add(page, { Name: 'Third', Mobile: '1', Event: '' });
  await ui.button(page, 'Send now').click();
  await ui.expectTexts(page, '3 waiting');
  // The first answer is lost after the server has stored the contact.
  let isLost = false;
  await context.route(ADD_CALL, async (route) => {
    if (isLost) return route.continue();
    isLost = true;
    await route.fetch();
    return route.abort();
  });
  await context.setOffline(false);
  await expect(page.getByText(/\d waiting/)).toBeHidden({ timeout: 30_000 });
  await expect(page.locator('[data-contact]')).toHaveText(['Third', 'Meera', 'Ravi']);
  expect(await namesAndTags(call)).toEqual([
    ['Third'],
    ['Meera', 'Pune Fair'],
    ['Ravi', 'Pune Fair'],
  ]);
});

test('add contact: a network that answers nothing does not delay the dialog; 503 and 429 keep the contact, 400 shows it with Edit and Remove', async ({
  page,
  context,
  call,
}) => {
  ui.expectErrors(page, /answered (503|429|403|400)/);
  await openContacts(page);
  await context.route(ADD_CALL, () => undefined);
  await add(page, RAVI);
  await ui.expectTexts(page, '1 waiting');
  const answers = [503, 429, 403, 400];
  await context.route(ADD_CALL, (route) => {
    const status = answers.shift() ?? 400;
    const json = { error: 'invalid_input', message: 'name must be text' };
    return route.fulfill({ status, json });
  });
  await page.reload();
  for (const left of [2, 1]) {
    await expect.poll(() => answers.length).toBe(left + 1);
    await ui.expectTexts(page, '1 waiting');
    await ui.button(page, 'Send now').click();
  }
  await expect.poll(() => answers.length).toBe(1);
  await ui.button(page, 'Send now').click();
  await ui.expectTexts(page, 'name must be text');
  await context.unrouteAll();
  await ui.button(page, 'Edit').click();
  await ui.addContact(page, { Name: 'Ravi Kumar' });
  await expect(page.locator('[data-contact]')).toHaveText(['Ravi Kumar']);
  expect(await namesAndTags(call)).toEqual([['Ravi Kumar']]);
});

test('add contact: a repeat after a lost answer adds nothing where the browser keeps nothing', async ({
  page,
  call,
}) => {
  ui.expectErrors(page, /did not get through/, /not kept|not read/);
  await openContacts(page);
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('Blocked', 'SecurityError');
    };
    // Playwright cannot intercept a call that outlives its page.
    const send = window.fetch;
    let isLost = false;
    window.fetch = async (...request) => {
      const response = await send(...request);
      if (isLost || !response.url.includes('/addContacts/')) return response;
      isLost = true;
      throw new TypeError('Failed to fetch');
    };
  });
  await page.goto('/dashboard/contacts?add');
  const form = ui.dialog(page, 'Add contact');
  await ui.fill(form, RAVI);
  await ui.button(form, 'Add').click();
  await ui.expectTexts(form, "We can't reach the service.");
  await ui.addContact(page, { Name: 'Ravi' });
  expect(await namesAndTags(call)).toEqual([['Ravi']]);
});

test('add contact: what waits survives a killed browser, the end of the session and another owner, unseen; a confirmed log out removes it', async ({
  server,
  phone,
  launch,
}) => {
  const start = async () => {
    const started = await launch();
    await started.page.route(ADD_CALL, (route) => route.abort());
    return started;
  };
  const asha = await createOwner(server, phone, { name: 'Asha', phone: '1' });
  const other = await createOwner(server, `97${phone.slice(2)}`, { name: 'Other', phone: '1' });
  const signInAs = async (page: Page, owner: Owner) => {
    await storeSession(page, server, owner);
    await page.goto('/dashboard/contacts');
    await addButton(page).waitFor();
  };
  const first = await start();
  await signInAs(first.page, asha);
  await add(first.page, { ...RAVI, Event: 'Fair' });
  await ui.expectTexts(first.page, '1 waiting');
  await ui.crash(first);
  const { page } = await start();
  await signInAs(page, asha);
  await ui.expectTexts(page, '1 waiting');
  await page.evaluate(() => localStorage.setItem('sessionToken', 'x'.repeat(43)));
  await page.reload();
  await ui.textbox(page, 'Phone number').waitFor();
  await signInAs(page, other);
  await expect(page.getByText('1 waiting')).toBeHidden();
  const questions: string[] = [];
  page.on('dialog', (question) => {
    questions.push(question.message());
    void (questions.length === 1 ? question.dismiss() : question.accept());
  });
  const logOut = async () => {
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole('navigation', { name: 'Dashboard' }).getByText('Log out').click();
  };
  await logOut();
  await ui.textbox(page, 'Phone number').waitFor();
  expect(questions).toEqual([]);
  await signInAs(page, asha);
  await ui.expectTexts(page, '1 waiting');
  await logOut();
  const question = "Log out without sending? You'll lose the contact waiting on this device.";
  await expect.poll(() => questions).toEqual([question]);
  await ui.expectTexts(page, '1 waiting');
  await logOut();
  await ui.textbox(page, 'Phone number').waitFor();
  expect(await ui.storedKeys(page)).toBe('');
});

test('import contacts: a preview says who is new; a shared file is taken by the worker, and without it the page says what to do', async ({
  page,
  call,
  addContact,
}) => {
  ui.expectErrors(page, /did not get through/);
  await addContact({ name: 'Ravi K', mobile: '+919845012345' });
  await openContacts(page);
  const form = ui.dialog(page, 'Import contacts');
  await Promise.all([page.waitForEvent('filechooser'), ui.chooseMore(page, 'Import contacts')]);
  await ui.chooseVcards(page, 'rfc-6350-4.0', ...Array.from({ length: 250 }, () => 'iphone-3.0'));
  await ui.expectTexts(
    form,
    'This file has 501 people.',
    'Only one phone and one email of each person are imported.',
    /^502 cards.* 1 left out, 1 not shown\.$/,
  );
  await expect(form.getByRole('listitem')).toHaveCount(500);
  await ui.failCalls(page, '**/api/contacts/checkContacts/*');
  await ui.chooseVcards(page, 'google-3.0', 'android-2.1');
  await ui.expectTexts(form, "We can't reach the service.");
  await page.unrouteAll();
  await ui.button(form, 'Try again').click();
  await ui.expectTexts(form, '4 cards in this file: 1 to add, 2 you have, 1 left out.');
  await ui.expectTexts(form, '1 left out (no mobile or email):', 'Nobody');
  await expect(form.getByRole('listitem')).toHaveText([
    /Ravi Kumar.*Already there/,
    /अनन्या चतुर्वेदी.*New/,
    /Suresh.*Already there/,
  ]);
  await form.getByRole('checkbox', { name: 'Suresh' }).check();
  await ui.textbox(form, 'Event').fill('Expo');
  await ui.button(form, 'Import 2 contacts').click();
  await expect(form).toBeHidden();
  const imported = [['Suresh', 'Expo'], ['अनन्या चतुर्वेदी', 'Expo'], ['Ravi K']];
  expect(await namesAndTags(call)).toEqual(imported);
  const share = (sizeBytes = 0) =>
    page.evaluate((size) => {
      const shared = document.createElement('form');
      Object.assign(shared, {
        method: 'post',
        action: '/dashboard/share',
        enctype: 'multipart/form-data',
      });
      const input = Object.assign(document.createElement('input'), { type: 'file', name: 'file' });
      const files = new DataTransfer();
      files.items.add(
        new File(['BEGIN:VCARD\nFN:Shared\nTEL:1\nEND:VCARD', ' '.repeat(size)], 'one.vcf'),
      );
      input.files = files.files;
      shared.append(input);
      document.body.append(shared);
      shared.submit();
    }, sizeBytes);
  await share();
  // Any website can post a file there.
  await expect(form.getByRole('checkbox', { name: 'Shared' })).not.toBeChecked();
  await expect(ui.button(form, 'Import 0 contacts')).toBeDisabled();
  await form.getByRole('checkbox', { name: 'Shared' }).check();
  await expect(ui.button(form, 'Import 1 contact')).toBeEnabled();
  await page.reload();
  await ui.expectTexts(form, 'Choose the file again.');
  await share(20_000_000);
  await page.waitForURL(/shared/);
  await ui.expectTexts(form, 'Choose the file again.');
  await page.evaluate(async () => {
    for (const worker of await navigator.serviceWorker.getRegistrations())
      await worker.unregister();
  });
  await page.goto('/healthz');
  await share();
  await expect(ui.heading(page, 'Choose the file again')).toBeVisible();
  await expect(ui.link(page, 'Go to Contacts')).toHaveAttribute('href', '/dashboard/contacts');
});

const vcard = (...lines: string[]) => ['BEGIN:VCARD', ...lines, 'END:VCARD', ''].join('\n');

test('import contacts: the preview accounts for every card, and what was exported is there completely', async ({
  page,
  addContact,
}) => {
  await addContact({ name: 'Ravi K', mobile: '98450 12345' });
  await addContact({ name: 'Desk', mobile: 'ask at the desk', email: 'no email' });
  await openContacts(page);
  const form = ui.dialog(page, 'Import contacts');
  const choose = (text: string, name = 'people.vcf') =>
    page
      .locator('input[type="file"]')
      .setInputFiles({ name, mimeType: '', buffer: Buffer.from(text) });
  await choose('Name,Phone,Email\nRavi,98450 12345,\n', 'people.csv');
  await ui.expectTexts(form, /^This is a CSV file\./);
  await choose('{"name": "Ravi"}');
  await ui.expectTexts(form, /^This isn't a vCard file\./);
  await choose('');
  await ui.expectTexts(form, 'This file is empty.');
  await choose(vcard('FN:Fax only', 'TEL;FAX:1'));
  await ui.expectTexts(form, 'Nobody in this file has a mobile number or an email.', 'Fax only');
  const people = [
    vcard('FN:Arup Bose', 'TEL:+919000010023', 'EMAIL:arup@x.example'),
    vcard('FN:Arup Bose SIM', 'TEL:090000 10023'),
    vcard('FN:Arup at work', 'EMAIL:ARUP@x.example'),
    vcard('FN:Ravi', 'TEL:+91 98450 12345'),
    vcard('EMAIL:orders@mills.example'),
    vcard('KIND:group', 'FN:The team'),
    vcard('NOTE:nothing'),
    'BEGIN:VCARD\nFN:Meera\nTEL:98450 123',
  ];
  await choose(people.join(''));
  await expect(form.getByText('Only one phone')).toHaveCount(0);
  await expect(form.getByRole('listitem')).toHaveText([
    /^Arup Bose.*New$/,
    /^Arup Bose SIM.*Same person$/,
    /^Arup at work.*Same person$/,
    /^Ravi.*Already there$/,
    /^orders@mills.example.*New$/,
    /^Meera.*Cut off$/,
  ]);
  await ui.expectTexts(
    form,
    '8 cards in this file: 2 to add, 1 you have, 2 listed twice, 1 incomplete at the end, 2 left out.',
    'The team',
    'Card 7',
  );
  await ui.button(form, 'Import 2 contacts').click();
  await expect(form).toBeHidden();
  await ui.button(page, 'More').click();
  const exported = await ui.download(page, ui.link(page, 'Export vCard'));
  await page.locator('input[type="file"]').setInputFiles(await exported.path());
  await ui.expectTexts(form, '4 cards in this file: 4 you have.');
});
